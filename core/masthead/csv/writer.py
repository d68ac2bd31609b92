"""Writing CSV that reads back unchanged."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from typing import TextIO

from masthead.csv.formulas import escape_formula, escape_quoted


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
        apostrophe in front, which ``CsvReader`` removes.
    """
    writer = csv.writer(file)
    writer.writerow(header)
    escape = escape_formula if spreadsheet_safe else escape_quoted
    writer.writerows([escape(cell) for cell in row] for row in rows)
