"""Writing CSV that reads back as what it was."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from typing import TextIO

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
"""What a cell begins with that spreadsheets calculate instead of showing it."""


def write_csv(
    file: TextIO,
    header: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    spreadsheet_safe: bool = False,
) -> None:
    """Write rows below a header: commas, CRLF, quotes where they are needed (RFC 4180).

    :param file: doesn't translate line ends.
    :param spreadsheet_safe: whether an apostrophe is put before what a spreadsheet would take for a
        formula; the file no longer reads back as what it was then.
    """
    writer = csv.writer(file)
    writer.writerow(header)
    safe = ([_guard(cell) for cell in row] for row in rows)
    writer.writerows(safe if spreadsheet_safe else rows)


def _guard(cell: str) -> str:
    return f"'{cell}" if cell.startswith(_FORMULA) else cell
