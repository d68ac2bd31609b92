"""The lengths of names in the database: those that PostgreSQL would cut off are refused."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from sqlalchemy import MetaData, Table

from masthead.errors import StartError

if TYPE_CHECKING:
    from masthead.plugins import Plugin

MOST_BYTES = 63
"""The bytes of a name in PostgreSQL; on SQLite, longer names would work until a move."""


def check_names(plugins: Iterable[Plugin]) -> None:
    """Check the names of the tables, columns, indexes and constraints of plugins.

    :raises StartError: for the first one that is too long.
    """
    for plugin in plugins:
        if plugin.metadata is not None:
            _check_metadata(plugin.metadata)


def _check_metadata(metadata: MetaData) -> None:
    for table in metadata.tables.values():
        for kind, name in _names(table):
            if (length := len(name.encode())) > MOST_BYTES:
                raise StartError(
                    f"{metadata.info['plugin']}: the {kind} {name} of the table {table.name} has"
                    f" {length} bytes in its name, and databases take {MOST_BYTES};"
                    " choose a shorter name for it, the table or its columns"
                )


def _names(table: Table) -> Iterator[tuple[str, str]]:
    """Yield the kind and the name of each part of a table."""
    yield "name", table.name
    for column in table.columns:
        yield "column", column.name
    for index in table.indexes:
        yield "index", str(index.name)
    for constraint in table.constraints:
        yield "constraint", str(constraint.name)
