"""CSV files (RFC 4180) as spreadsheets and address books write them, read row by row.

``encoding.py`` finds out how the bytes become text, ``columns.py`` which columns are meant by the
names in the header, ``reader.py`` puts both together; ``writer.py`` writes. ``persons.py`` has the
columns of names and addresses.
"""

from __future__ import annotations

from masthead.csv.columns import CsvColumn
from masthead.csv.persons import EMAIL_COLUMN, NAME_COLUMN, first_value
from masthead.csv.reader import CsvReader, CsvRow
from masthead.csv.writer import write_csv

__all__ = [
    "EMAIL_COLUMN",
    "NAME_COLUMN",
    "CsvColumn",
    "CsvReader",
    "CsvRow",
    "first_value",
    "write_csv",
]
