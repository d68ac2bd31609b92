"""The database gives up after the time that is set, and the error says that it is busy."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from sqlalchemy import make_url, text
from sqlalchemy.exc import DBAPIError

from masthead.db import Database
from masthead.db.locking import lock
from masthead.db.waits import is_unavailable

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


class Relay:
    """A port that forwards to a server on a socket in the file system, until it is silenced."""

    def __init__(self, target: Path) -> None:
        self._target = str(target)
        self._silent = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def silence(self) -> None:
        """From now on accept all bytes and forward none."""
        self._silent.set()

    def close(self) -> None:
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client = self._listener.accept()[0]
                server = socket.socket(socket.AF_UNIX)
                server.connect(self._target)
                for ends in ((client, server), (server, client)):
                    threading.Thread(target=self._forward, args=ends, daemon=True).start()

    def _forward(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                if not self._silent.is_set():
                    sink.sendall(data)
            if not self._silent.is_set():
                sink.close()


@pytest.fixture
def relay(postgresql: Database) -> Iterator[Relay]:
    folder = Path(str(postgresql.url.query["host"]))
    relay = Relay(next(folder.glob(".s.PGSQL.*[0-9]")))
    yield relay
    relay.close()


def through(relay: Relay, database: Database) -> Database:
    """Return a database that is reached through a relay."""
    url = make_url(str(database.url)).set(host="127.0.0.1", port=relay.port, query={})
    return Database(url.render_as_string(hide_password=False))


def test_a_server_that_stops_answering_is_given_up(postgresql: Database, relay: Relay) -> None:
    database = through(relay, postgresql)
    database.waits.statement = 1
    with database.read() as connection:
        connection.execute(text("SELECT 1"))
        relay.silence()
        with pytest.raises(DBAPIError) as refused:
            connection.execute(text("SELECT 2"))

    assert is_unavailable(refused.value)
    database.dispose()


def test_a_server_that_answers_no_connection_is_given_up(
    postgresql: Database, relay: Relay
) -> None:
    relay.silence()
    database = through(relay, postgresql)

    with pytest.raises(DBAPIError) as refused, database.read():
        pass

    assert is_unavailable(refused.value)
    database.dispose()


def test_a_server_that_refuses_connections_is_unavailable() -> None:
    database = Database("postgresql://nobody@127.0.0.1:1/none")

    with pytest.raises(DBAPIError) as refused, database.read():
        pass

    assert is_unavailable(refused.value)
