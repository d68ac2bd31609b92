"""Writing CSV that reads back unchanged."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from typing import TextIO

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
"""The beginnings of cells that spreadsheets evaluate as formulas."""


def write_csv(
    file: TextIO,
    header: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    spreadsheet_safe: bool = False,
) -> None:
    """Write a header and rows with commas, CRLF and quotes where necessary (RFC 4180).

    :param file: a file that doesn't translate line ends.
    :param spreadsheet_safe: whether cells that a spreadsheet would evaluate as formulas get an
        apostrophe in front; such a file doesn't read back unchanged.
    """
    writer = csv.writer(file)
    writer.writerow(header)
    safe = ([_guard(cell) for cell in row] for row in rows)
    writer.writerows(safe if spreadsheet_safe else rows)


def _guard(cell: str) -> str:
    return f"'{cell}" if cell.startswith(_FORMULA) else cell
