from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import timedelta

import pytest
from sqlalchemy import func, select, text
from sqlalchemy.orm import Session

from masthead.db import Database
from masthead.instance import Instance
from masthead.testing.client import Client
from masthead.testing.clock import Clock
from masthead.worker.heartbeat import Heartbeat, beat
from masthead.worker.models import WorkerState
from masthead.worker.worker import Worker

NOBODY = "none was seen in the last minute; masthead worker starts one"


def wait_until(holds: Callable[[], object]) -> None:
    deadline = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def shown(app: Client) -> str:
    """Return what the status says about the worker."""
    return str(app.as_role("admin").get("/status").json["checks"]["worker"])


def workers(session: Session) -> int:
    return session.scalars(select(func.count()).select_from(WorkerState)).one()


def test_the_status_says_whether_a_worker_is_alive_and_readiness_does_not_depend_on_it(
    app: Client, instance: Instance, session: Session
) -> None:
    stop = threading.Event()
    assert shown(app) == NOBODY
    assert "worker" not in app.get("/readyz").json["checks"]
    worker = threading.Thread(target=Worker(instance).run, args=(stop,))

    worker.start()
    wait_until(lambda: workers(session))
    assert shown(app) == "ok"

    stop.set()
    worker.join()
    assert shown(app) == NOBODY


@pytest.mark.parametrize(("seconds", "lives"), [(60, True), (-60, True), (61, False), (-61, False)])
def test_a_worker_that_says_nothing_for_a_minute_counts_as_dead(
    seconds: int, lives: bool, clock: Clock, app: Client, instance: Instance
) -> None:
    beat(instance.database, "one")

    clock.shift(seconds=seconds)

    assert shown(app) == ("ok" if lives else NOBODY)


@pytest.mark.parametrize("days", [-1, 1])
def test_a_worker_lives_on_when_the_clock_steps(
    days: int, clock: Clock, app: Client, instance: Instance
) -> None:
    beat(instance.database, "one")
    clock.shift(days=days)

    beat(instance.database, "one")

    assert shown(app) == "ok"


def test_workers_that_died_long_ago_are_forgotten(
    clock: Clock, instance: Instance, session: Session
) -> None:
    beat(instance.database, "dead")
    clock.shift(minutes=9)
    beat(instance.database, "living")
    assert workers(session) == 2

    clock.shift(minutes=2)
    beat(instance.database, "living")

    assert session.scalars(select(WorkerState.id)).all() == ["living"]


def test_a_heartbeat_changes_nothing_that_the_public_sees(
    instance: Instance, work: Callable[[], None]
) -> None:
    before = instance.version.token()

    beat(instance.database, "one")
    work()

    assert instance.version.token() == before


@pytest.mark.slow
def test_a_heartbeat_that_cannot_be_stored_is_logged_once(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    failed = "The worker's heartbeat can't be stored: "
    beats: list[None] = []
    heartbeat = Heartbeat(database, "one", timedelta(seconds=0.1))
    with heartbeat.beating(lambda: beats.append(None)):
        wait_until(lambda: beats)
        with database.transaction() as session:
            session.execute(text("ALTER TABLE core_worker RENAME TO core_away"))
        wait_until(lambda: failed in caplog.text)
        number = len(beats)
        wait_until(lambda: len(beats) > number + 3)
        assert caplog.text.count(failed) == 1
        with database.transaction() as session:
            session.execute(text("ALTER TABLE core_away RENAME TO core_worker"))
        wait_until(lambda: "The worker's heartbeat is stored again" in caplog.text)
    assert "Traceback" not in caplog.text
