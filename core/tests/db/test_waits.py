"""The database gives up after the time that is set, and the error says that it is busy."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from masthead.db import Database
from masthead.db.locking import lock
from masthead.db.waits import is_unavailable
from masthead.testing.relay import Relay

pytestmark = pytest.mark.slow


def other(database: Database, lock: int = 1, statement: int | None = None) -> Database:
    """Return a second connection to a database, with limits."""
    again = Database(database.url.render_as_string(hide_password=False))
    again.waits.lock, again.waits.statement = lock, statement
    return again


def test_a_writer_gives_up_on_a_lock(database: Database) -> None:
    def write(database: Database) -> None:
        with database.transaction() as session:
            lock(session, "it")
            session.execute(text("SELECT 1"))

    again = other(database)
    with database.transaction() as holder:
        lock(holder, "it")
        holder.execute(text("SELECT 1"))

        with pytest.raises(DBAPIError) as refused:
            write(again)

    assert is_unavailable(refused.value)
    write(again)
    again.dispose()


def test_a_new_connection_gives_up_on_a_locked_sqlite_file(sqlite: Database) -> None:
    sqlite.waits.lock = 1
    with sqlite.transaction() as session:
        session.execute(text("CREATE TABLE toy (id integer)"))
    with sqlite.engine.connect() as holder:
        driver = holder.connection.dbapi_connection
        assert driver is not None
        driver.execute("PRAGMA locking_mode=EXCLUSIVE")
        driver.execute("PRAGMA journal_mode=DELETE")
        driver.execute("BEGIN EXCLUSIVE")
        again = other(sqlite)
        with pytest.raises(DBAPIError) as refused, again.read() as connection:
            connection.execute(text("SELECT 1 FROM toy"))
        driver.execute("ROLLBACK")

    assert is_unavailable(refused.value)
    again.dispose()


def test_a_statement_of_postgresql_has_a_time_limit(postgresql: Database) -> None:
    again = other(postgresql, statement=1)

    with pytest.raises(DBAPIError) as refused, again.read() as connection:
        connection.execute(text("SELECT pg_sleep(20)"))

    assert is_unavailable(refused.value)
    again.dispose()


def test_a_command_has_no_time_limit(postgresql: Database) -> None:
    with postgresql.read() as connection:
        assert connection.scalar(text("SHOW statement_timeout")) == "0"
        assert connection.scalar(text("SHOW lock_timeout")) == "0"


@pytest.mark.parametrize("statement", ["SELECT nothing", "SELECT 1 FROM nowhere", "SELECT ("])
def test_an_error_in_a_statement_is_no_unavailability(database: Database, statement: str) -> None:
    with pytest.raises(DBAPIError) as refused, database.read() as connection:
        connection.execute(text(statement))

    assert not is_unavailable(refused.value)


def test_an_error_of_the_driver_of_sqlite_is_no_unavailability(sqlite: Database) -> None:
    with pytest.raises(DBAPIError) as refused, sqlite.read() as connection:
        connection.execute(text("SELECT CAST(x'ff' AS TEXT)")).all()

    assert not is_unavailable(refused.value)


@pytest.fixture
def relay(postgresql: Database) -> Iterator[Relay]:
    relay = Relay(postgresql.url.render_as_string(hide_password=False))
    yield relay
    relay.cut()


def test_a_server_that_stops_answering_is_given_up(relay: Relay) -> None:
    database = Database(relay.url)
    database.waits.statement = 1
    with database.read() as connection:
        connection.execute(text("SELECT 1"))
        relay.silence()
        with pytest.raises(DBAPIError) as refused:
            connection.execute(text("SELECT 2"))

    assert is_unavailable(refused.value)
    database.dispose()


def test_a_server_that_answers_no_connection_is_given_up(relay: Relay) -> None:
    relay.silence()
    database = Database(relay.url)

    with pytest.raises(DBAPIError) as refused, database.read():
        pass

    assert is_unavailable(refused.value)
    database.dispose()


def test_a_server_that_refuses_connections_is_unavailable() -> None:
    database = Database("postgresql://nobody@127.0.0.1:1/none")

    with pytest.raises(DBAPIError) as refused, database.read():
        pass

    assert is_unavailable(refused.value)
