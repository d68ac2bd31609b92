"""Public answers are read from a replica that has the latest change, and everything else isn't."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import event
from webtest import TestApp

from masthead.cli.first_start import prepare
from masthead.core_plugin import plugin as core
from masthead.db.url import read_url
from masthead.errors import StartError
from masthead.instance import Instance, open_instance
from masthead.tags.models import Tag
from masthead.testing.postgres import (
    control,
    create_database,
    database_url,
    freeze,
    running_postgres,
    running_replica,
)
from masthead.web.app import app_of
from masthead.web.replica import Replica, replica_trouble

pytestmark = pytest.mark.slow
SETTINGS = {
    "masthead.plugins": "core",
    "masthead.auth.secrets": "4d0f2c77b1e94a8c9f63a1d85be27c06",
    "masthead.cache.size": "0",
    "masthead.cache.strict": "true",
}
TOKEN = "SELECT token FROM core_content_version"


@pytest.fixture(scope="module")
def servers() -> Iterator[tuple[str, str]]:
    """The URLs of a database on a primary and on its streaming replica."""
    with running_postgres() as server:
        url = create_database(server, "replicated")
        with running_replica(url) as replica:
            yield url, replica


@pytest.fixture
def reopen(servers: tuple[str, str], tmp_path: Path) -> Iterator[Callable[..., Instance]]:
    """Return a function that opens an instance with both servers, as another process would."""
    opened: list[Instance] = []
    primary, replica = servers

    def reopen(**settings: str) -> Instance:
        places = {"masthead.data": str(tmp_path), "masthead.database.url": primary}
        named = {f"masthead.{name.replace('__', '.')}": text for name, text in settings.items()}
        places["masthead.database.replica_url"] = replica
        ini = {**SETTINGS, **places, **named}
        opened.append(open_instance(ini, {}, {"core": core}))
        return opened[-1]

    yield reopen
    for instance in opened:
        instance.close()
    run(replica, "SELECT pg_wal_replay_resume()")


@pytest.fixture
def instance(reopen: Callable[..., Instance], servers: tuple[str, str]) -> Instance:
    instance = reopen()
    prepare(instance)
    catch_up(servers)
    return instance


def run(url: str, statement: str) -> Any:
    driver_url = read_url(url).set(drivername="postgresql")
    with psycopg.connect(
        driver_url.render_as_string(hide_password=False), autocommit=True
    ) as connection:
        found = connection.execute(statement).fetchone()
    return found and found[0]


def catch_up(servers: tuple[str, str]) -> None:
    """Wait until the replica has replayed everything."""
    primary, replica = servers
    position = run(primary, "SELECT pg_current_wal_insert_lsn()::text")
    end = time.monotonic() + 30
    while not run(replica, f"SELECT pg_last_wal_replay_lsn() >= '{position}'"):
        assert time.monotonic() < end
        time.sleep(0.02)


def wait_until_back(instance: Instance) -> None:
    """Wait until the process knows that the replica answers again."""
    replica = instance.shared(Replica).database
    assert replica is not None
    end = time.monotonic() + 20
    while replica.outage.is_open and time.monotonic() < end:
        time.sleep(0.05)


def add_tag(instance: Instance, name: str) -> None:
    with instance.database.transaction() as session:
        session.add(Tag(name=name, slug=name.lower(), name_key=name.lower()))


class Counted:
    """The statements about tags that a request sends to the primary and to the replica."""

    def __init__(self, instance: Instance) -> None:
        database = instance.shared(Replica).database
        assert database is not None
        self.primary = self.replica = 0
        for engine in (instance.database.engine, instance.database.reader):
            event.listen(engine, "before_cursor_execute", self._of_primary)
        event.listen(database.reader, "before_cursor_execute", self._of_replica)

    def _of_primary(self, _connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        self.primary += "core_tag" in statement

    def _of_replica(self, _connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        self.replica += "core_tag" in statement

    def asked(self, app: TestApp, path: str = "/api/tags", **options: Any) -> tuple[bool, bool]:
        """Request an address; return whether the primary and the replica were asked for tags."""
        self.primary = self.replica = 0
        app.get(path, **options)
        return self.primary > 0, self.replica > 0


PRIMARY, REPLICA = (True, False), (False, True)


def test_public_answers_come_from_the_replica_and_those_of_staff_do_not(
    instance: Instance, servers: tuple[str, str]
) -> None:
    app, counted = TestApp(app_of(instance)), Counted(instance)
    add_tag(instance, "Red")
    catch_up(servers)
    time.sleep(0.1)  # a replica that was behind isn't asked meanwhile

    assert counted.asked(app) == REPLICA
    assert "Red" in app.get("/api/tags").text
    assert counted.asked(app, "/api/tags?limit=1") == REPLICA
    assert app.head("/api/tags").headers["ETag"] == app.get("/api/tags").headers["ETag"]
    # A fault of a caller isn't repeated.
    app.get("/api/tags?limit=wrong", status=400)


def test_a_replica_that_is_behind_is_not_read(instance: Instance, servers: tuple[str, str]) -> None:
    app, counted = TestApp(app_of(instance)), Counted(instance)
    run(servers[1], "SELECT pg_wal_replay_pause()")
    for number in range(3):
        add_tag(instance, f"Late{number}")
        assert counted.asked(app) == PRIMARY
        assert f"Late{number}" in app.get("/api/tags").text
    run(servers[1], "SELECT pg_wal_replay_resume()")
    catch_up(servers)
    time.sleep(1.0)

    assert counted.asked(app) == REPLICA


def test_no_cached_answer_is_outdated_while_the_replica_lags(
    reopen: Callable[..., Instance], instance: Instance, servers: tuple[str, str]
) -> None:
    reading = reopen(cache__size="32")
    app = TestApp(app_of(reading))
    for number in range(20):
        add_tag(instance, f"Number{number}")
        if number % 3 == 0:
            run(servers[1], "SELECT pg_wal_replay_pause()")
        elif number % 3 == 2:
            run(servers[1], "SELECT pg_wal_replay_resume()")
        for path in ("/api/tags", f"/api/tags?limit=500&n={number}"):
            assert f"Number{number}" in app.get(path).text


def test_the_replica_answers_while_the_primary_is_away(
    instance: Instance, servers: tuple[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    app = TestApp(app_of(instance))
    add_tag(instance, "Kept")
    catch_up(servers)
    time.sleep(0.1)
    before = app.get("/api/tags")
    control(servers[0], "-m", "immediate", "stop")
    try:
        end = time.monotonic() + 20
        while not instance.database.outage.is_open and time.monotonic() < end:
            app.get("/api/tags", status="*")
            time.sleep(0.05)
        answer = app.get("/api/tags")
        assert answer.json == before.json
        assert int(answer.headers["Age"]) >= 0
        app.post_json("/api/auth/login", {"username": "ada", "password": "a word"}, status=503)
    finally:
        control(servers[0], "start")
    end = time.monotonic() + 20
    while instance.database.outage.is_open and time.monotonic() < end:
        time.sleep(0.05)
    assert "Age" not in app.get("/api/tags").headers
    assert "Traceback" not in caplog.text


def test_nothing_is_shown_that_this_process_has_outdated(
    instance: Instance, servers: tuple[str, str]
) -> None:
    app = TestApp(app_of(instance))
    app.get("/api/tags")
    run(servers[1], "SELECT pg_wal_replay_pause()")
    add_tag(instance, "New")
    control(servers[0], "-m", "immediate", "stop")
    try:
        end = time.monotonic() + 20
        while not instance.database.outage.is_open and time.monotonic() < end:
            app.get("/api/tags", status="*")
            time.sleep(0.05)
        app.get("/api/tags", status=503)
    finally:
        control(servers[0], "start")


def test_the_primary_answers_while_the_replica_is_away(
    instance: Instance, servers: tuple[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    app, counted = TestApp(app_of(instance)), Counted(instance)
    catch_up(servers)
    assert counted.asked(app) == REPLICA
    caplog.clear()
    control(servers[1], "-m", "immediate", "stop")
    try:
        for _ in range(20):
            assert counted.asked(app) == PRIMARY
            time.sleep(0.05)
        assert "can't be reached" in (replica_trouble(instance) or "")
    finally:
        control(servers[1], "start")
    wait_until_back(instance)

    assert counted.asked(app) == REPLICA
    lines = [each.message for each in caplog.records if each.levelno >= logging.WARNING]
    assert [line[:27] for line in lines] == ["The replica of the database"] * 2


def test_a_frozen_replica_stops_no_answer(instance: Instance, servers: tuple[str, str]) -> None:
    app, counted = TestApp(app_of(instance)), Counted(instance)
    catch_up(servers)
    assert counted.asked(app) == REPLICA
    freeze(servers[1])
    try:
        for _ in range(3):
            assert counted.asked(app) == PRIMARY
    finally:
        freeze(servers[1], thaw=True)
    wait_until_back(instance)
    assert counted.asked(app) == REPLICA


def test_a_query_that_fails_on_the_replica_is_answered_by_the_primary(
    instance: Instance, servers: tuple[str, str]
) -> None:
    app, counted = TestApp(app_of(instance)), Counted(instance)
    catch_up(servers)
    replica = instance.shared(Replica).database
    assert replica is not None

    def fail(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        if "core_tag" in statement:
            raise psycopg.errors.UndefinedColumn("no such column")

    event.listen(replica.reader, "before_cursor_execute", fail)
    assert counted.asked(app) == (True, True)


def test_the_check_names_the_trouble(
    reopen: Callable[..., Instance], instance: Instance, servers: tuple[str, str]
) -> None:
    primary, replica = servers
    catch_up(servers)
    assert replica_trouble(instance) is None
    assert "takes writes" in (replica_trouble(reopen(database__replica_url=primary)) or "")
    other = reopen(database__replica_url=database_url(replica, "postgres"))
    assert "another server or database" in (replica_trouble(other) or "")
    lagging = reopen(database__replica_lag="1")
    run(replica, "SELECT pg_wal_replay_pause()")
    add_tag(instance, "Late")
    time.sleep(1.5)
    assert "s behind" in (replica_trouble(lagging) or "")
    assert replica_trouble(reopen(database__replica_lag="3600")) is None


def test_sqlite_has_no_replica(tmp_path: Path) -> None:
    url = "postgresql://masthead@replica/masthead"
    ini = {**SETTINGS, "masthead.data": str(tmp_path), "masthead.database.replica_url": url}
    with pytest.raises(StartError, match="replica_url needs PostgreSQL"):
        open_instance(ini, {}, {"core": core})


@pytest.mark.parametrize("value", ["sqlite:///var/masthead.db", "replica.example.org"])
def test_other_urls_are_refused(value: str, tmp_path: Path) -> None:
    ini = {**SETTINGS, "masthead.data": str(tmp_path), "masthead.database.replica_url": value}
    with pytest.raises(StartError, match=r"^masthead\.database\.replica_url: expected postgresql"):
        open_instance(ini, {}, {"core": core})
