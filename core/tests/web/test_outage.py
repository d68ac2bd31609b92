"""Answers while the database is away: cached ones with their age, 503 for everything else."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import event, insert, select
from sqlalchemy.exc import DBAPIError
from webtest import TestApp

from masthead.core_plugin import plugin as core
from masthead.http.environ import IMMEDIATE_ANSWER
from masthead.instance import Instance, open_instance
from masthead.tags.models import Tag
from masthead.testing.relay import Relay
from masthead.web.app import app_of
from masthead.web.readings import Readings

SETTINGS = {
    "masthead.plugins": "core",
    "masthead.auth.secrets": "4d0f2c77b1e94a8c9f63a1d85be27c06",
    "masthead.status.token": "a-token-of-a-monitor",
    "masthead.metrics.token": "a-token-of-a-monitor",
}


@pytest.fixture
def relay(database_url: str) -> Iterator[Relay]:
    """A relay to a new database."""
    if database_url.startswith("sqlite"):
        pytest.skip("SQLite has no server")
    relay = Relay(database_url)
    yield relay
    relay.cut()


@pytest.fixture
def reopen(relay: Relay, tmp_path: Path) -> Iterator[Callable[..., Instance]]:
    """Return a function that opens an instance with this database, as another process would."""
    opened: list[Instance] = []

    def reopen(**settings: str) -> Instance:
        named = {f"masthead.cache.{name}": value for name, value in settings.items()}
        place = {"masthead.data": str(tmp_path), "masthead.database.url": relay.url}
        opened.append(open_instance({**SETTINGS, **place, **named}, {}, {"core": core}))
        return opened[-1]

    yield reopen
    for instance in opened:
        instance.close()


def add_tag(instance: Instance, name: str) -> None:
    with instance.database.transaction() as session:
        session.add(Tag(name=name, slug=name.lower(), name_key=name.lower()))


def is_over(instance: Instance) -> bool:
    end = time.monotonic() + 10
    while instance.database.outage.is_open and time.monotonic() < end:
        time.sleep(0.02)
    return not instance.database.outage.is_open


@pytest.mark.parametrize("strict", ["false", "true"])
def test_cached_answers_are_sent_with_their_age_and_other_requests_are_refused_at_once(
    reopen: Callable[..., Instance], relay: Relay, caplog: pytest.LogCaptureFixture, strict: str
) -> None:
    instance = reopen(strict=strict)
    app = TestApp(app_of(instance))
    add_tag(instance, "Red")
    before = app.get("/api/tags")
    assert "Age" not in before.headers
    time.sleep(0.6)  # longer than a process uses a token on PostgreSQL
    caplog.clear()
    relay.cut()

    for _ in range(3):
        cached = app.get("/api/tags")
        assert cached.body == before.body
        assert cached.headers["ETag"] == before.headers["ETag"]
        assert 0 <= int(cached.headers["Age"]) < 10
        assert "Warning" not in cached.headers
    known = {"If-None-Match": before.headers["ETag"]}
    assert app.get("/api/tags", headers=known, status=304).headers["Age"]
    for _ in range(20):
        refused = app.get("/api/tags?limit=3", status=503)
        assert refused.headers["Retry-After"] == "5"
    app.post_json("/api/auth/login", {"username": "ada", "password": "a word"}, status=503)

    relay.mend()
    assert is_over(instance)
    assert "Age" not in app.get("/api/tags").headers
    app.get("/api/tags?limit=3", status=200)
    logged = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert [record.name for record in logged] == ["masthead.db.outage"] * 2
    assert "Traceback" not in caplog.text


def test_immediate_answers_and_health_checks_during_an_outage(
    reopen: Callable[..., Instance], relay: Relay
) -> None:
    app = TestApp(app_of(reopen()))
    app.get("/api/tags")
    relay.cut()
    time.sleep(0.6)
    app.get("/api/tags?limit=3", status=503)
    app.get("/api/tags")

    app.get("/healthz")
    assert app.app.immediate_answer("GET", "/api/tags", "") is not None
    assert app.app.immediate_answer("GET", "/api/tags", "limit=3") is None
    error = app.get("/readyz", status=503).json["error"]
    assert error.startswith("database: the database can't be reached")
    assert "migrations" not in error
    monitor = {"Authorization": "Bearer a-token-of-a-monitor"}
    assert "can't" in app.get("/status", headers=monitor).json["checks"]["database"]


def test_metrics_tell_an_answer_of_an_outage_from_a_valid_one(
    reopen: Callable[..., Instance], relay: Relay, caplog: pytest.LogCaptureFixture
) -> None:
    instance = reopen()
    app = TestApp(app_of(instance))

    def count(sample: str) -> float:
        shown = app.get("/metrics", headers={"Authorization": "Bearer a-token-of-a-monitor"}).text
        found = re.search(rf"^{re.escape(sample)} (\S+)$", shown, re.MULTILINE)
        return float(found[1]) if found else 0

    stale, hit = (f'masthead_cache_requests_total{{result="{it}"}}' for it in ("stale", "hit"))
    listed = 'masthead_http_request_duration_seconds_count{method="GET",route="tags.list",'
    listed += 'status="200"}'
    before = {each: count(each) for each in (stale, hit, listed)}
    app.get("/api/tags")
    app.get("/api/tags")
    relay.cut()
    time.sleep(0.6)
    app.get("/api/tags?limit=3", status=503)
    app.get("/api/tags")
    answer = app.app.immediate_answer("GET", "/api/tags", "")
    app.get("/api/tags", extra_environ={IMMEDIATE_ANSWER: answer})

    instance.shared(Readings).forget()

    assert count(stale) == before[stale] + 2
    assert count(hit) == before[hit] + 1
    assert count(listed) == before[listed] + 4
    assert count("masthead_database_up") == 0
    assert "can't be read" not in caplog.text


def test_an_answer_that_a_write_of_this_process_has_outdated_is_not_sent(
    reopen: Callable[..., Instance], relay: Relay
) -> None:
    """Whoever unpublishes something doesn't see it again, whatever happens to the database."""
    instance = reopen()
    app = TestApp(app_of(instance))
    add_tag(instance, "Red")
    app.get("/api/tags")
    add_tag(instance, "Blue")

    relay.cut()

    app.get("/api/tags", status=503)
    assert app.app.immediate_answer("GET", "/api/tags", "") is None


def test_an_answer_that_a_failed_commit_may_have_outdated_is_not_sent(
    reopen: Callable[..., Instance], relay: Relay
) -> None:
    instance = reopen()
    app = TestApp(app_of(instance))
    app.get("/api/tags")

    # The connection is lost between the last statement and the answer to COMMIT.
    event.listen(instance.database.engine, "commit", lambda _connection: relay.cut())
    with pytest.raises(DBAPIError):
        add_tag(instance, "Red")

    app.get("/api/tags", status=503)


@pytest.mark.parametrize("seconds", ["0", "1"])
def test_cached_answers_are_sent_for_the_time_that_is_set(
    reopen: Callable[..., Instance], relay: Relay, seconds: str
) -> None:
    app = TestApp(app_of(reopen(stale_if_error=seconds)))
    began = time.monotonic()
    app.get("/api/tags")
    time.sleep(0.6)
    relay.cut()

    ages = []
    while (answer := app.get("/api/tags", status="*")).status_code == 200:
        ages.append(int(answer.headers["Age"]))
        time.sleep(0.02)

    assert answer.status_code == 503
    assert time.monotonic() - began >= int(seconds)
    assert all(age <= int(seconds) for age in ages)
    assert seconds == "1" or not ages


def test_a_transaction_that_loses_its_connection_can_be_closed(
    reopen: Callable[..., Instance], relay: Relay
) -> None:
    session = reopen().database.session()
    session.execute(insert(Tag).values(name="Lost", slug="lost", name_key="lost"))
    relay.cut()
    with pytest.raises(DBAPIError):
        session.execute(select(Tag))

    session.close()
