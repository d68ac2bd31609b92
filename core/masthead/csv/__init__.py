"""CSV files (RFC 4180) as spreadsheets and address books write them, read row by row.

``encoding.py`` detects the encoding, ``columns.py`` finds columns by the names in the header, and
``reader.py`` uses both. ``writer.py`` writes files. ``persons.py`` has the columns of names and
addresses.
"""

from __future__ import annotations

from masthead.csv.columns import CsvColumn
from masthead.csv.persons import EMAIL_COLUMN, NAME_COLUMN
from masthead.csv.reader import CsvReader, CsvRow, UsedColumn
from masthead.csv.writer import write_csv

__all__ = [
    "EMAIL_COLUMN",
    "NAME_COLUMN",
    "CsvColumn",
    "CsvReader",
    "CsvRow",
    "UsedColumn",
    "write_csv",
]
