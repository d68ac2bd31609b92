"""Rows staged in a temporary table before a transaction begins, for imports of large files.

Reading and checking a file is slow. Staging its rows first keeps SQLite's write lock free.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkstemp
from typing import Any

from sqlalchemy import Column, Dialect, MetaData, Table, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session
from sqlalchemy.schema import CreateTable

from masthead.db.engine import Database

_ATTACHED = "staged"


@contextmanager
def stage_rows(
    database: Database, table: Table, rows: Iterable[Sequence[Any]]
) -> Iterator[Session]:
    """Fill a temporary table and yield a writing session that sees it, committed at the end.

    :param table: a table with the prefix ``TEMPORARY``; it is dropped afterwards.
    :param rows: the values of each row in the order of the columns, read one by one. An exception
        of the iterable propagates, and nothing is stored.
    """
    with database.engine.connect() as connection:
        driver: Any = connection.connection.driver_connection
        rows = _bind(rows, table, connection.dialect)
        fill = _filled_sqlite if database.dialect == "sqlite" else _filled_postgresql
        with fill(driver, table, rows):
            session = database.session()
            # Only this connection sees the table.
            session.bind = connection
            with session, session.begin():
                yield session


def index_rows(session: Session, column: Column[Any]) -> None:
    """Create an index on a column of the temporary table.

    Call it before the table is updated: PostgreSQL doesn't use an index that was created after
    updates in the same transaction.

    :param session: the session that sees the table.
    :param column: a column whose values are different, or NULL.
    """
    table = column.table
    name, of, schema = f"{table}_{column.name}", f"{table} ({column.name})", f"{_ATTACHED}."
    if session.get_bind().dialect.name == "postgresql":
        schema, of = "", f"pg_temp.{of}"
    # The names come from the caller's code.
    session.execute(text(f"CREATE UNIQUE INDEX {schema}{name} ON {of}"))


def _bind(rows: Iterable[Sequence[Any]], table: Table, dialect: Dialect) -> Iterable[Sequence[Any]]:
    """Convert the values to the types that the driver accepts."""
    found = [column.type.dialect_impl(dialect).bind_processor(dialect) for column in table.columns]
    processors = [(at, process) for at, process in enumerate(found) if process is not None]
    for row in rows:
        values = list(row)
        for at, process in processors:
            values[at] = process(values[at])
        yield values


@contextmanager
def _filled_sqlite(driver: Any, table: Table, rows: Iterable[Sequence[Any]]) -> Iterator[None]:
    # SQLite may hold temporary tables in memory, whatever their size. So the table is part of an
    # attached database, whose file is unlinked and disappears with the connection.
    handle, path = mkstemp(prefix="masthead-")
    os.close(handle)
    driver.execute(f"ATTACH ? AS {_ATTACHED}", (path,))
    Path(path).unlink()
    try:
        driver.execute(f"PRAGMA {_ATTACHED}.journal_mode=OFF").close()
        driver.execute(f"PRAGMA {_ATTACHED}.synchronous=OFF").close()
        _fill_sqlite(driver, table.to_metadata(MetaData(), schema=_ATTACHED), rows)
        yield
    finally:
        driver.execute(f"DETACH {_ATTACHED}")


def _fill_sqlite(driver: Any, table: Table, rows: Iterable[Sequence[Any]]) -> None:
    marks = ", ".join("?" * len(table.columns))
    # A transaction that only writes the attached file doesn't lock the database.
    driver.execute("BEGIN")
    try:
        driver.execute(str(CreateTable(table).compile(dialect=sqlite.dialect())))
        # The table's name comes from the caller's code; values are bound.
        driver.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)  # noqa: S608
    except BaseException:
        driver.execute("ROLLBACK")
        raise
    driver.execute("COMMIT")


@contextmanager
def _filled_postgresql(driver: Any, table: Table, rows: Iterable[Sequence[Any]]) -> Iterator[None]:
    # SQLAlchemy leaves the dialect's constructor untyped.
    create = CreateTable(table).compile(dialect=postgresql.dialect())  # type: ignore[no-untyped-call]
    # The driver begins the transaction that the session continues.
    try:
        with driver.cursor() as cursor:
            cursor.execute(f"{create} ON COMMIT DROP")
            with cursor.copy(f"COPY pg_temp.{table.name} FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
    except BaseException:
        driver.rollback()
        raise
    yield
