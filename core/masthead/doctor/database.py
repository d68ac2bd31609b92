"""Checks of the database: version, encoding, collation, and the tables that it has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import Connection, MetaData, inspect, text
from sqlalchemy.exc import DBAPIError

from masthead.checking.writing import database_writing_trouble
from masthead.db import migrate
from masthead.db.encoding import REMEDY, encoding_trouble
from masthead.db.outage import one_line
from masthead.instance import PLUGINS, Check, Instance

_OLDEST_POSTGRESQL = 14
"""The oldest version that gets security updates."""
_FIRST_SAFE_SQLITE = (3, 51, 3)
_NEW_ROWS = text(
    "CREATE TEMPORARY TABLE masthead_doctor ON COMMIT DROP AS"
    " SELECT repeat('x', 1000) AS filler FROM generate_series(1, 1000)"
)
"""One MB of rows: more than most transactions add."""
_NO_RIGHT = "42501"
_MOST = 5
"""The maximum number of differences to list."""


def checks() -> list[Check]:
    """Return the checks of this module."""
    return [
        Check(
            "database.version",
            version_trouble,
            readiness=False,
            level="warning",
            remedy="upgrade PostgreSQL, or install the package pysqlite3 for SQLite",
            status=False,
        ),
        Check(
            "database.encoding",
            lambda instance: encoding_trouble(instance.database),
            readiness=False,
            remedy=REMEDY,
        ),
        Check(
            "database.space",
            space_trouble,
            readiness=False,
            remedy="free space on the machine of PostgreSQL, or move its data to a larger disk",
            status=False,
        ),
        Check(
            "database.collation",
            collation_trouble,
            readiness=False,
            level="warning",
            remedy="REINDEX DATABASE, then ALTER DATABASE … REFRESH COLLATION VERSION",
        ),
        Check(
            "database.tables",
            tables_trouble,
            readiness=False,
            remedy="masthead db upgrade; if it changes nothing, masthead db check shows whether a"
            " plugin lacks a revision, or the tables were changed by hand",
        ),
        Check(
            "database.plugins",
            plugins_trouble,
            readiness=False,
            level="warning",
            remedy=f"install the plugin and enable it in {PLUGINS.name}, unless it was removed on"
            " purpose",
        ),
    ]


def version_trouble(instance: Instance) -> str | None:
    """Return a version of the database that is too old."""
    if instance.database.dialect == "sqlite":
        return old_sqlite(instance.database.engine.dialect.loaded_dbapi.sqlite_version_info)
    with instance.database.read() as connection:
        return old_postgresql(int(connection.execute(text("SHOW server_version_num")).scalar_one()))


def old_sqlite(version: tuple[int, ...]) -> str | None:
    """Return a message about a release of SQLite with a known fault; None for any other."""
    if version >= _FIRST_SAFE_SQLITE:
        return None
    return f"SQLite {'.'.join(map(str, version))} can, rarely, damage a database"


def old_postgresql(number: int) -> str | None:
    """Return a message about a PostgreSQL without security updates; None for any other.

    :param number: the version as in ``server_version_num``, such as 150004.
    """
    if number >= _OLDEST_POSTGRESQL * 10_000:
        return None
    return f"PostgreSQL {number // 10_000} gets no security updates any more"


def space_trouble(instance: Instance) -> str | None:
    """Return why PostgreSQL can't store new rows, such as a full disk; it keeps none of them.

    The check ``writes`` covers SQLite, a standby and a database that is set to read-only.
    """
    database = instance.database
    if database.dialect == "sqlite" or database_writing_trouble(instance):
        return None
    try:
        with database.engine.connect() as connection:
            # A new table takes new space; rows of a table could use space that others have left.
            connection.execute(_NEW_ROWS)
            connection.rollback()
    except DBAPIError as error:
        # A role may lack the right to make temporary tables; Masthead doesn't need it.
        if getattr(error.orig, "sqlstate", None) == _NO_RIGHT:
            return None
        return f"the database refused to write: {one_line(error)}"
    return None


def collation_trouble(instance: Instance) -> str | None:
    """Return whether the system sorts text in another way than when the indexes were built."""
    if instance.database.dialect == "sqlite":
        return None
    with instance.database.read() as connection:
        if int(connection.execute(text("SHOW server_version_num")).scalar_one()) < 150_000:
            return None
        built, actual, locale = connection.execute(
            text(
                "SELECT datcollversion, pg_database_collation_actual_version(oid), datcollate"
                " FROM pg_database WHERE datname = current_database()"
            )
        ).one()
    if built is None or built == actual:
        return None
    return (
        f"the indexes were built with version {built} of the collation {locale}, the system has"
        f" {actual}, so searches in them can miss rows"
    )


def tables_trouble(instance: Instance) -> str | None:
    """Return the tables, columns and indexes of enabled plugins that the database lacks."""
    with instance.database.read() as connection:
        missing = list(_missing(connection, instance))
    if not missing:
        return None
    more = f" and {len(missing) - _MOST} more" if len(missing) > _MOST else ""
    return f"the database lacks {', '.join(missing[:_MOST])}{more}"


def plugins_trouble(instance: Instance) -> str | None:
    """Return the plugins that have tables here, but aren't enabled."""
    others = migrate.status_of_others(instance.database, instance.plugins)
    return f"tables of {', '.join(others)} have no enabled plugin" if others else None


def _missing(connection: Connection, instance: Instance) -> Iterator[str]:
    inspector = inspect(connection)
    columns = _names(inspector.get_multi_columns())
    indexes = _names(inspector.get_multi_indexes())
    for plugin in instance.plugins:
        yield from _missing_of(plugin.metadata or MetaData(), columns, indexes)


def _missing_of(
    metadata: MetaData, columns: Mapping[str, set[str]], indexes: Mapping[str, set[str]]
) -> Iterator[str]:
    for table in metadata.sorted_tables:
        if table.name not in columns:
            yield f"the table {table.name}"
            continue
        wanted = [column.name for column in table.columns]
        yield from (f"{table.name}.{name}" for name in wanted if name not in columns[table.name])
        named = [str(index.name) for index in table.indexes if index.name]
        yield from (f"the index {name}" for name in named if name not in indexes[table.name])


def _names(reflected: Mapping[Any, list[Any]]) -> dict[str, set[str]]:
    return {table: {each["name"] for each in found} for (_, table), found in reflected.items()}
