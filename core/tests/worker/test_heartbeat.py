from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from masthead.instance import Instance
from masthead.testing.client import Client
from masthead.testing.clock import Clock
from masthead.worker.heartbeat import beat
from masthead.worker.models import WorkerState
from masthead.worker.worker import Worker

NOBODY = {"error": "worker: none was seen in the last minute; masthead worker starts one"}


def workers(session: Session) -> int:
    return session.scalars(select(func.count()).select_from(WorkerState)).one()


def test_an_instance_is_ready_as_long_as_it_has_a_worker(
    app: Client, instance: Instance, session: Session
) -> None:
    stop = threading.Event()
    assert app.get("/readyz", status=503).json == NOBODY
    worker = threading.Thread(target=Worker(instance).run, args=(stop,))

    worker.start()
    deadline = time.monotonic() + 20
    while not workers(session) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert app.get("/readyz").json["checks"]["worker"] == "ok"

    stop.set()
    worker.join()
    assert app.get("/readyz", status=503).json == NOBODY


@pytest.mark.parametrize(("seconds", "status"), [(60, 200), (-60, 200), (61, 503), (-61, 503)])
def test_a_worker_that_says_nothing_for_a_minute_counts_as_dead(
    seconds: int, status: int, clock: Clock, app: Client, instance: Instance
) -> None:
    beat(instance.database, "one")

    clock.shift(seconds=seconds)

    app.get("/readyz", status=status)


@pytest.mark.parametrize("days", [-1, 1])
def test_a_worker_lives_on_when_the_clock_steps(
    days: int, clock: Clock, app: Client, instance: Instance
) -> None:
    beat(instance.database, "one")
    clock.shift(days=days)

    beat(instance.database, "one")

    app.get("/readyz")


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
