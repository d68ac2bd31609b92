"""Comparison of migrations and models by the schemas that the database reports."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sqlalchemy import Connection, MetaData, create_engine
from sqlalchemy.pool import StaticPool

from masthead.db import Database
from masthead.db.metadata import owns
from masthead.plugins import Plugin

_SCRATCH = "masthead_scratch"
_SQLITE = "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL"
_POSTGRESQL = """
SELECT c.relname, 'column ' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
       || coalesce(' COLLATE ' || l.collname, '')
       || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END
       || CASE WHEN a.attidentity <> '' THEN ' IDENTITY ' || a.attidentity::text ELSE '' END
       || coalesce(' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), '')
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
LEFT JOIN pg_collation l ON l.oid = a.attcollation AND l.collname <> 'default'
LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
  AND a.attnum > 0 AND NOT a.attisdropped
UNION ALL
SELECT c.relname, 'constraint ' || k.conname || ' ' || pg_get_constraintdef(k.oid)
FROM pg_class c JOIN pg_constraint k ON k.conrelid = c.oid
WHERE c.relnamespace = current_schema()::regnamespace
UNION ALL
SELECT c.relname, pg_get_indexdef(i.indexrelid)
FROM pg_class c JOIN pg_index i ON i.indrelid = c.oid
WHERE c.relnamespace = current_schema()::regnamespace
"""


def schema_differences(database: Database, plugins: Sequence[Plugin]) -> list[str]:
    """Compare the schema of a migrated database with the one that ``create_all`` creates.

    Returns a line for each column, constraint, index or option that only one of them has, marked
    ``migrations:`` or ``models:``. The order of columns doesn't count, and tables of no plugin are
    ignored. ``plugins`` must include every plugin to whose tables others refer.
    """
    metadatas = [plugin.metadata for plugin in plugins if plugin.metadata is not None]
    with database.engine.connect() as connection, connection.begin():
        migrated = _snapshot(connection, metadatas)
    if database.dialect == "sqlite":
        modelled = _models_on_sqlite(database, metadatas)
    else:
        modelled = _models_on_postgresql(database, metadatas)
    return sorted(
        [f"migrations: {line}" for line in migrated - modelled]
        + [f"models: {line}" for line in modelled - migrated]
    )


def _models_on_sqlite(database: Database, metadatas: Sequence[MetaData]) -> set[str]:
    engine = create_engine("sqlite://", module=database.engine.dialect.dbapi, poolclass=StaticPool)
    try:
        with engine.connect() as connection:
            return _created(connection, metadatas)
    finally:
        engine.dispose()


def _models_on_postgresql(database: Database, metadatas: Sequence[MetaData]) -> set[str]:
    with database.engine.connect() as connection, connection.begin() as transaction:
        connection.exec_driver_sql(f"CREATE SCHEMA {_SCRATCH}")
        connection.exec_driver_sql(f"SET LOCAL search_path TO {_SCRATCH}")
        created = _created(connection, metadatas)
        transaction.rollback()
    return created


def _created(connection: Connection, metadatas: Sequence[MetaData]) -> set[str]:
    for metadata in metadatas:
        metadata.create_all(connection)
    return _snapshot(connection, metadatas)


def _snapshot(connection: Connection, metadatas: Sequence[MetaData]) -> set[str]:
    if connection.dialect.name == "sqlite":
        found = [
            (row.tbl_name, part)
            for row in connection.exec_driver_sql(_SQLITE)
            for part in (_table_parts(row.sql) if row.type == "table" else [_plain(row.sql)])
        ]
    else:
        rows = connection.exec_driver_sql(_POSTGRESQL)
        found = [
            (table, re.sub(r"\b(public|masthead_scratch)\.", "", part)) for table, part in rows
        ]
    return {
        f"{table}: {part}"
        for table, part in found
        if any(owns(metadata, table) for metadata in metadatas)
    }


def _table_parts(sql: str) -> list[str]:
    """Split CREATE TABLE into the definitions in its outer brackets and the text after them."""
    parts, depth, start = [], 0, sql.index("(") + 1
    for place, character in enumerate(sql):
        depth += (character == "(") - (character == ")")
        if (character == "," and depth == 1) or (character == ")" and depth == 0):
            parts += _without_reference(_plain(sql[start:place]))
            start = place + 1
    return [*parts, _plain(sql[start:])]


def _without_reference(part: str) -> list[str]:
    """A column that was added with its reference, and the constraint of a table that means that."""
    added = re.fullmatch(r"(\w+) (.*) (CONSTRAINT \w+) (REFERENCES .*)", part)
    if added is None:
        return [part]
    column, kind, constraint, reference = added.groups()
    return [f"{column} {kind}", f"{constraint} FOREIGN KEY({column}) {reference}"]


def _plain(sql: str) -> str:
    return " ".join(sql.replace('"', "").split())
