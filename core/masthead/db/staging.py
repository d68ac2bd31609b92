"""Rows that lie ready before a transaction begins, for imports that one statement finishes.

What is slow, reading and checking a file, so happens while nobody waits for SQLite's write lock.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Table
from sqlalchemy.orm import Session
from sqlalchemy.schema import CreateTable

from masthead.db.engine import Database

__all__ = ["stage_rows"]


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
        create = str(CreateTable(table).compile(dialect=database.engine.dialect))
        fill = _fill_sqlite if database.dialect == "sqlite" else _fill_postgresql
        fill(driver, table, create, rows)
        session = database.session()
        # The table is this connection's alone.
        session.bind = connection
        try:
            with session, session.begin():
                yield session
        finally:
            if database.dialect == "sqlite":
                driver.execute(f"DROP TABLE temp.{table.name}")


def _fill_sqlite(driver: Any, table: Table, create: str, rows: Iterable[Sequence[Any]]) -> None:
    marks = ", ".join("?" * len(table.columns))
    # A transaction that writes temporary tables only holds no lock that others wait for.
    driver.execute("BEGIN")
    try:
        driver.execute(create)
        driver.executemany(f"INSERT INTO temp.{table.name} VALUES ({marks})", rows)  # noqa: S608
    except BaseException:
        driver.execute("ROLLBACK")
        raise
    driver.execute("COMMIT")


def _fill_postgresql(driver: Any, table: Table, create: str, rows: Iterable[Sequence[Any]]) -> None:
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
