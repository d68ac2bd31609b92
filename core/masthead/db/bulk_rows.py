"""Rows that lie ready before a transaction begins, for imports that one statement finishes.

What is slow, reading and checking a file, so happens while nobody waits for SQLite's write lock.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkstemp
from typing import Any

from sqlalchemy import MetaData, Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session
from sqlalchemy.schema import CreateTable

from masthead.db.engine import Database

_ATTACHED = "staged"


@contextmanager
def stage_rows(
    database: Database, table: Table, rows: Iterable[Sequence[Any]]
) -> Iterator[Session]:
    """Fill a temporary table, then give a writing session that finds it, committed at the end.

    :param table: has ``TEMPORARY`` among its prefixes and no constraints; it is gone afterwards.
    :param rows: values as the driver takes them, in the order of the columns; read one by one. What
        they raise comes out of here, with nothing done.
    """
    with database.engine.connect() as connection:
        driver: Any = connection.connection.driver_connection
        fill = _filled_sqlite if database.dialect == "sqlite" else _filled_postgresql
        with fill(driver, table, rows):
            session = database.session()
            # The table is this connection's alone.
            session.bind = connection
            with session, session.begin():
                yield session


@contextmanager
def _filled_sqlite(driver: Any, table: Table, rows: Iterable[Sequence[Any]]) -> Iterator[None]:
    # Temporary tables may be held in memory, however long; so it is one of a database that is
    # attached, in a file that has no name any more and is gone with the connection to it.
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
    # A transaction that writes another file only holds no lock that others wait for.
    driver.execute("BEGIN")
    try:
        driver.execute(str(CreateTable(table).compile(dialect=sqlite.dialect())))
        # The table's name is the caller's own; values are bound.
        driver.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)  # noqa: S608
    except BaseException:
        driver.execute("ROLLBACK")
        raise
    driver.execute("COMMIT")


@contextmanager
def _filled_postgresql(driver: Any, table: Table, rows: Iterable[Sequence[Any]]) -> Iterator[None]:
    # SQLAlchemy leaves the dialect's constructor untyped.
    create = CreateTable(table).compile(dialect=postgresql.dialect())  # type: ignore[no-untyped-call]
    # The driver begins the transaction that the session goes on with.
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
