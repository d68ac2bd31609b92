"""Writing CSV that reads back unchanged."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Sequence
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
    write_row = row_writer(file, spreadsheet_safe=spreadsheet_safe)
    csv.writer(file).writerow(header)
    for row in rows:
        write_row(row)


def row_writer(file: TextIO, *, spreadsheet_safe: bool) -> Callable[[Iterable[str]], None]:
    """Return a function that writes one row, as ``write_csv`` does."""
    writer = csv.writer(file)
    escape = escape_formula if spreadsheet_safe else escape_quoted

    def write_row(row: Iterable[str]) -> None:
        writer.writerow([escape(cell) for cell in row])

    return write_row
