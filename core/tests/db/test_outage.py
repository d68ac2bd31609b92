"""An outage of the database: noticed at one failure, over at one probe, told in two lines."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from masthead.db import Database, impatient
from masthead.db.outage import Outage
from masthead.db.waits import DatabaseAway
from masthead.testing.relay import Relay

pytestmark = pytest.mark.product


@pytest.fixture
def relay(postgresql: Database) -> Iterator[Relay]:
    relay = Relay(postgresql.url.render_as_string(hide_password=False))
    yield relay
    relay.cut()


@pytest.fixture
def watched(relay: Relay) -> Iterator[Database]:
    """A database with a warm pool, as a server has it."""
    database = Database(relay.url)
    database.waits.statement = 30
    database.watch()
    query(database)
    yield database
    database.dispose()


def query(database: Database, statement: str = "SELECT 1") -> object:
    with database.read() as connection:
        return connection.execute(text(statement)).scalar()


def wait_until(condition: Callable[[], object], seconds: float = 10) -> float:
    began = time.monotonic()
    while not condition():
        assert time.monotonic() < began + seconds
        time.sleep(0.01)
    return time.monotonic() - began


def test_a_server_that_is_gone_is_noticed_at_once_and_found_again(
    watched: Database, relay: Relay, caplog: pytest.LogCaptureFixture
) -> None:
    relay.cut()
    with pytest.raises(DBAPIError):
        query(watched)
    wait_until(lambda: watched.outage.is_open)
    for _ in range(50):
        with pytest.raises(DatabaseAway) as refused:
            query(watched)
        assert watched.outage.covers(refused.value)

    relay.mend()
    assert wait_until(lambda: not watched.outage.is_open) < 3
    assert query(watched) == 1

    begin, end = [r for r in caplog.records if r.name == "masthead.db.outage"]
    assert begin.levelname == "ERROR"
    assert begin.message.startswith("The database can't be reached: ")
    assert end.levelname == "WARNING"
    assert "50 requests or jobs failed" in end.message


def test_a_lost_connection_is_no_outage_if_the_server_answers_others(
    watched: Database, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(DBAPIError):
        query(watched, "SELECT pg_terminate_backend(pg_backend_pid())")
    time.sleep(0.1)

    assert query(watched) == 1
    assert "can't be reached" not in caplog.text


@pytest.mark.slow
def test_a_silent_server_is_noticed_by_a_waiting_request_and_a_slow_one_is_not_disturbed(
    watched: Database, relay: Relay
) -> None:
    with ThreadPoolExecutor(8) as threads:
        assert query(watched, f"SELECT 7 FROM pg_sleep({impatient.SUSPICION + 0.6})") == 7
        assert not watched.outage.number
        relay.silence()
        began = time.monotonic()
        waiting = [threads.submit(query, watched) for _ in range(8)]
        errors = [each.exception(timeout=20) for each in waiting]
        assert time.monotonic() - began < 8

    assert all(isinstance(error, SQLAlchemyError) for error in errors)
    # Connections from before the outage may be cut off although nobody has closed them.
    relay.speak()
    wait_until(lambda: not watched.outage.is_open)
    began = time.monotonic()
    assert query(watched) == 1
    assert time.monotonic() - began < 1


def test_a_command_waits_patiently(relay: Relay) -> None:
    database = Database(relay.url)
    query(database)
    relay.cut()

    with pytest.raises(DBAPIError):
        query(database)

    time.sleep(0.1)
    assert not database.outage.number
    database.dispose()


def test_a_file_that_is_missing_is_an_outage_too(sqlite: Database) -> None:
    with sqlite.transaction() as session:
        session.execute(text("CREATE TABLE toy (id integer)"))
    sqlite.dispose()
    sqlite.watch()
    file = str(sqlite.url.database)
    moved = Path(file).rename(f"{file}.moved")

    with pytest.raises(DBAPIError):
        query(sqlite)
    wait_until(lambda: sqlite.outage.is_open)
    with pytest.raises(DatabaseAway):
        query(sqlite)

    moved.rename(file)
    wait_until(lambda: not sqlite.outage.is_open)
    assert query(sqlite, "SELECT count(*) FROM toy") == 0


def test_requests_that_wait_for_each_other_start_no_probe_while_the_database_answers() -> None:
    probed = threading.Semaphore(0)
    outage = Outage("a place", probed.release)
    outage.is_watched = True

    def probes() -> bool:
        return probed.acquire(timeout=0.1)

    outage.heard()
    outage.suspect()
    assert not probes()

    outage.suspect(DatabaseAway())
    assert probes()
    for _ in range(5):
        outage.suspect()
    assert not probes(), "the probe itself was answered"
