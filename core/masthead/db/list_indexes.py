"""The indexes of PostgreSQL that find the elements of lists in columns of JSON.

A revision is generated on SQLite, which has no such indexes. So no revision contains them: each
upgrade builds those that models declare and the database lacks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from sqlalchemy import Column, Connection, Index, cast, text
from sqlalchemy.dialects.postgresql import JSONB

from masthead.db.engine import Database
from masthead.db.indexes import build
from masthead.db.migrating import migrating

if TYPE_CHECKING:
    from masthead.plugins import Plugin

_KEY = "masthead.list_index"
_EXISTING = text("""
SELECT c.relname FROM pg_class c LEFT JOIN pg_index i ON i.indexrelid = c.oid
WHERE c.relnamespace = current_schema()::regnamespace
  AND (c.relkind = 'r' OR c.relkind = 'i' AND i.indisvalid)
""")


def declare_list_index(name: str, column: Column[Any]) -> None:
    """Declare the index of a column for the conditions of ``has_any``."""
    index = Index(name, cast(column, JSONB), postgresql_using="gin", info={_KEY: True})
    index.ddl_if(dialect="postgresql")


def list_indexes(plugins: Iterable[Plugin]) -> Iterator[Index]:
    """Yield the declared indexes of lists, in the order of their names."""
    found = (
        index
        for plugin in plugins
        if plugin.metadata is not None
        for table in plugin.metadata.tables.values()
        for index in table.indexes
        if _KEY in index.info
    )
    yield from sorted(found, key=lambda index: str(index.name))


def build_list_indexes(database: Database, plugins: Iterable[Plugin]) -> None:
    """Build the declared indexes of lists that existing tables lack, without blocking writers."""
    declared = list(list_indexes(plugins))
    if database.dialect != "postgresql" or not declared:
        return
    with database.read() as connection:
        missing = _missing(connection, declared)
    if missing:
        with migrating(database) as (connection, _):
            build(connection, _missing(connection, missing))


def _missing(connection: Connection, indexes: Iterable[Index]) -> list[Index]:
    existing = set(connection.scalars(_EXISTING))
    return [
        index
        for index in indexes
        if index.table is not None and index.table.name in existing and index.name not in existing
    ]
