"""The rows of tables, for comparisons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Table, select

from masthead.db.exportable import IMPORT_DEFAULT
from masthead.instance import Instance


def rows_of(instance: Instance, tables: Iterable[Table]) -> dict[str, Sequence[Any]]:
    """Return the rows of each table by its name, without columns that an export leaves out."""
    with instance.database.read() as connection:
        return {
            table.name: connection.execute(
                select(*(c for c in table.c if IMPORT_DEFAULT not in c.info)).order_by(
                    *table.primary_key
                )
            ).all()
            for table in tables
        }
