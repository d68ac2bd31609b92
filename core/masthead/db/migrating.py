"""The transactions of a migration, and the lock that excludes other migrations."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, event

from masthead.db.engine import Database

# The number is arbitrary, but unlikely to be used by another lock on the server.
_ADVISORY_LOCK = int.from_bytes(b"masthead")
_POLL_SECONDS = 0.2
LOCK_TIMEOUT = "1s"
"""The longest wait for each lock that other PostgreSQL transactions hold."""


@contextmanager
def migrating(database: Database) -> Iterator[tuple[Connection, Callable[[], object]]]:
    """Yield a connection that excludes other migrations, and a function that commits.

    On SQLite the whole block is one transaction, and the function has no effect. On PostgreSQL the
    connection is in no transaction yet.
    """
    if database.dialect == "sqlite":
        with _rebuilding(database) as connection:
            yield connection, lambda: None
        return
    own = _without_listeners(database)
    try:
        with _excluding_others(own), own.engine.connect() as connection:
            event.listen(connection, "begin", _limit_waits)
            yield connection, connection.commit
    finally:
        own.dispose()


def _without_listeners(database: Database) -> Database:
    """Return the same database without the listeners of an instance.

    They would use tables of core at each commit, for which a revision may still be missing.
    """
    url = database.url.render_as_string(hide_password=False)
    return Database(url, pool_size=1, prepared=database.prepared)


@contextmanager
def outside_transaction(connection: Connection) -> Iterator[None]:
    """Run the block without a transaction on PostgreSQL, after a commit.

    An index is built without blocking writers only so.
    """
    if connection.dialect.name != "postgresql":
        yield
        return
    connection.commit()
    connection.execution_options(isolation_level="AUTOCOMMIT")
    try:
        yield
    finally:
        connection.rollback()
        connection.execution_options(isolation_level=connection.default_isolation_level)


@contextmanager
def _rebuilding(database: Database) -> Iterator[Connection]:
    """Yield a connection to SQLite in a transaction without foreign keys."""
    with database.engine.connect() as connection:
        # Alembic alters a SQLite table by creating a new one, and dropping the old one would
        # cascade into referring tables. The pragma has no effect inside a transaction.
        driver = connection.connection.dbapi_connection
        assert driver is not None
        driver.execute("PRAGMA foreign_keys=OFF").close()
        try:
            with connection.begin():
                yield connection
        finally:
            driver.execute("PRAGMA foreign_keys=ON").close()


@contextmanager
def _excluding_others(database: Database) -> Iterator[None]:
    """Exclude other migrations of a PostgreSQL database.

    The lock belongs to the transaction of a connection of its own, because migrations commit
    meanwhile, and a lock of a session would not survive a pooler.
    """
    with database.engine.connect() as connection:
        # A statement that waits for the lock would have a snapshot, and an index that is built
        # concurrently waits for all snapshots: they would wait for each other.
        while not connection.exec_driver_sql(
            f"SELECT pg_try_advisory_xact_lock({_ADVISORY_LOCK})"
        ).scalar():
            connection.rollback()
            time.sleep(_POLL_SECONDS)
        connection.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = 0")
        yield


def _limit_waits(connection: Connection) -> None:
    driver: Any = connection.connection.dbapi_connection
    if not driver.autocommit:
        # While an ALTER TABLE waits for its lock, other queries on the table wait behind it.
        connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{LOCK_TIMEOUT}'")
