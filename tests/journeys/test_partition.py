"""A network that drops all packets between the application and PostgreSQL, without a reset."""

from __future__ import annotations

import os
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from sqlalchemy import text

from masthead.db import Database
from masthead.testing.databases import VARIABLE
from tests.journeys.partition import RemoteServer, missing_permission, remote_server

pytestmark = pytest.mark.slow

SECRET = "5e8b7f0a4b7c4c0e9a3e0d6d1f2a9b48"
CACHED, WRITTEN = "/api/news", "/api/staff/news"
OUTAGE = 12.0
"""The seconds of the partition."""
WRITERS = 3


@pytest.fixture
def server() -> Iterator[RemoteServer]:
    """A PostgreSQL server behind a network that the test may cut."""
    if os.environ.get(VARIABLE) != "postgresql":
        pytest.skip("needs PostgreSQL")
    if reason := missing_permission():
        pytest.skip(reason)
    with remote_server() as server:
        yield server


class Writer(threading.Thread):
    """A client that creates articles, and repeats a request until it is acknowledged."""

    def __init__(self, site: Any, token: str, number: int) -> None:
        super().__init__(daemon=True)
        self._site, self._token, self._number = site, token, number
        self.ended = threading.Event()
        self.acknowledged: list[str] = []
        self.repeated = 0

    def run(self) -> None:
        while not self.ended.is_set():
            title = f"Article {self._number} {len(self.acknowledged)}"
            while not self._is_acknowledged(title):
                self.repeated += 1
                time.sleep(0.2)
            self.acknowledged.append(title)

    def stop(self) -> None:
        """End with an acknowledged request."""
        self.ended.set()
        self.join(30)
        assert not self.is_alive()

    def _is_acknowledged(self, title: str) -> bool:
        key = {"Idempotency-Key": f'"{title}"'.replace(" ", "-")}
        with suppress(OSError):
            return bool(
                self._site.ask("POST", WRITTEN, {"title": title}, self._token, key).status == 200
            )
        return False


def timed(site: Any, path: str) -> tuple[Any, float]:
    began = time.monotonic()
    answer = site.ask("GET", path)
    return answer, time.monotonic() - began


def check_outage(site: Any, seconds: float) -> None:
    """Check the answers of each half second of an outage that is known."""
    end = time.monotonic() + seconds
    expected = {CACHED: 200, "/api/news?limit=7": 503, "/healthz": 200}
    while time.monotonic() < end:
        for path, status in expected.items():
            answer, waited = timed(site, path)
            assert (path, answer.status, waited < 1) == (path, status, True), waited
        time.sleep(0.5)


def seconds_until_fresh(site: Any) -> float:
    """Wait until answers come from the database again, and return how long that takes."""
    began = time.monotonic()
    while site.ask("GET", "/readyz").status != 200 or "Age" in site.ask("GET", CACHED).headers:
        assert time.monotonic() < began + 20
        time.sleep(0.1)
    return time.monotonic() - began


def test_dropped_packets_cost_no_cached_answer_and_no_acknowledged_write(
    site: Any, server: RemoteServer
) -> None:
    site.environ |= {
        "MASTHEAD_DATABASE_URL": server.url,
        "MASTHEAD_AUTH_SECRETS": SECRET,
        "MASTHEAD_CACHE_STRICT": "true",
    }
    site.start()
    site.wait_until_ready()
    token = site.log_in("admin", site.printed_value("password"))
    site.ask("GET", CACHED)
    writers = [Writer(site, token, number) for number in range(WRITERS)]
    for writer in writers:
        writer.start()
    time.sleep(1)

    server.partition.cut()
    for path, status in ((CACHED, 200), ("/api/news?limit=7", 503)):
        answer, waited = timed(site, path)
        assert (answer.status, "Age" in answer.headers) == (status, status == 200)
        assert waited < 10
    check_outage(site, OUTAGE)
    server.partition.mend()
    assert seconds_until_fresh(site) < 8
    for writer in writers:
        writer.stop()

    acknowledged = [title for writer in writers for title in writer.acknowledged]
    stored = Counter(title for (title,) in server.rows("SELECT title FROM news_article"))
    assert stored == Counter(acknowledged)
    assert all(writer.repeated for writer in writers)
    assert site.log.count("ERROR masthead.db.outage: The database can't be reached") == 1
    assert "Traceback" not in site.log


def test_a_transaction_behind_the_partition_keeps_its_locks_for_seconds_only(
    server: RemoteServer,
) -> None:
    held = "SELECT 1 FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND locktype = 'relation'"
    holder = Database(server.url)
    connection = holder.engine.connect()
    connection.execute(text("CREATE TABLE kept (id integer)"))
    connection.commit()
    connection.execute(text("LOCK TABLE kept IN ACCESS EXCLUSIVE MODE"))
    assert server.rows(held)

    server.partition.cut()
    began = time.monotonic()
    while server.rows(held):
        assert time.monotonic() < began + 40
        time.sleep(0.2)
    server.partition.mend()
    connection.invalidate()
    holder.dispose()
