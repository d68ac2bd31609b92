"""Tables as spreadsheets and address books write them, read row by row: CSV (RFC 4180), workbooks.

``reader.py`` reads a table: ``text.py`` or ``workbook.py`` has the rows of the file, ``rows.py``
finds the header and leaves out notes and totals, and ``columns.py`` finds columns by the names in
the header. ``encoding.py`` and ``kinds.py`` detect the encoding and the kind of a file.
``persons.py`` has the columns of names and addresses, and ``header_names.py`` their names in other
tools and languages. ``writer.py`` writes CSV.
"""

from __future__ import annotations

from masthead.csv.columns import CsvColumn, JoinedColumns
from masthead.csv.encoding import find_encoding
from masthead.csv.header_names import header_names
from masthead.csv.persons import EMAIL_COLUMN, NAME_COLUMN
from masthead.csv.reader import REFUSED, CsvReader, CsvRow, MissingColumn, UsedColumn
from masthead.csv.rows import IgnoredRow
from masthead.csv.writer import row_writer, write_csv

TABLE_TYPES = (
    "text/csv",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "application/vnd.oasis.opendocument.spreadsheet",
    "application/vnd.ms-excel",
)
"""The media types of files that :class:`CsvReader` reads."""

__all__ = [
    "EMAIL_COLUMN",
    "NAME_COLUMN",
    "REFUSED",
    "TABLE_TYPES",
    "CsvColumn",
    "CsvReader",
    "CsvRow",
    "IgnoredRow",
    "JoinedColumns",
    "MissingColumn",
    "UsedColumn",
    "find_encoding",
    "header_names",
    "row_writer",
    "write_csv",
]
