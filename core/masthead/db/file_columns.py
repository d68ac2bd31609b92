"""A column with the bytes of a file, which are stored and deleted with their row."""

from __future__ import annotations

from typing import Any

from sqlalchemy import LargeBinary
from sqlalchemy.orm import MappedColumn, mapped_column


def file_column(*, nullable: bool = False) -> MappedColumn[Any]:
    """Return a column for the bytes of a file of some megabytes, such as a letter in PDF.

    The bytes are stored and deleted with the row: by a failed transaction, a delete, a foreign key
    with ``ondelete``, the trash and the erasure of a person. Backups and exports have them, and all
    servers read them. They are loaded when the attribute is read, not with the row.

    :param nullable: whether there may be a row without a file.
    """
    return mapped_column(LargeBinary(), nullable=nullable, deferred=True)
