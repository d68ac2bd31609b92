"""Chores: the lease of one worker, failures, and the end of a worker."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from core.tests.worker.desk import Desk, state
from masthead import Instance, Plugin
from masthead.core_plugin import plugin as core
from masthead.db import Database
from masthead.testing.clock import Clock
from masthead.worker.worker import Worker


@pytest.fixture
def plugins(desk: Desk) -> Sequence[Plugin]:
    return (core, Plugin(name="desk", hooks=(desk,)))


@pytest.fixture
def settings() -> dict[str, str]:
    return {"masthead.worker.lease": "1"}


def test_a_chore_that_fails_is_free_for_another_try(
    clock: Clock, desk: Desk, instance: Instance, session: Session
) -> None:
    desk.chore("desk.post", lambda _: 1 / 0 if len(desk.done) == 1 else False)
    worker = Worker(instance)
    worker.turn()
    failed = state(session, "desk.post")
    assert (failed.failures, failed.leased_by, failed.lease_until) == (1, None, None)
    assert failed.last_error == "ZeroDivisionError: division by zero"

    clock.shift(seconds=10)
    worker.turn()

    assert state(session, "desk.post").runs == 1


def test_a_chore_that_another_worker_has_is_left_to_it(desk: Desk, instance: Instance) -> None:
    desk.chore("desk.post", lambda _: Worker(instance).turn() and False)

    Worker(instance).turn()

    assert desk.done == ["desk.post"]


def test_a_chore_that_was_taken_over_is_marked_by_its_new_worker_only(
    clock: Clock,
    desk: Desk,
    instance: Instance,
    session: Session,
    caplog: pytest.LogCaptureFixture,
) -> None:
    allowed = []

    def post(may_go_on: Callable[[], bool]) -> None:
        if len(desk.done) == 1:
            clock.shift(seconds=1)
            Worker(instance).turn()
        allowed.append(may_go_on())

    desk.chore("desk.post", post)

    Worker(instance).turn()

    assert desk.done == ["desk.post"] * 2
    assert state(session, "desk.post").runs == 1
    assert "The chore desk.post took so long that another worker has it" in caplog.text


def test_a_chore_may_not_continue_when_its_lease_is_not_renewed(
    desk: Desk, instance: Instance
) -> None:
    allowed = []

    def post(may_go_on: Callable[[], bool]) -> None:
        allowed.append(may_go_on())
        time.sleep(1.1)
        allowed.append(may_go_on())

    desk.chore("desk.post", post)

    Worker(instance).turn()

    assert allowed == [True, False]


def test_a_chore_may_not_go_on_when_its_worker_stops(desk: Desk, instance: Instance) -> None:
    stop = threading.Event()
    allowed = []

    def post(may_go_on: Callable[[], bool]) -> None:
        allowed.append(may_go_on())
        stop.set()
        allowed.append(may_go_on())

    desk.chore("desk.post", post)

    Worker(instance).run(stop)

    assert allowed == [True, False]


@pytest.mark.parametrize("fails", [True, False])
def test_a_chore_that_loses_the_database_is_due_when_that_is_back(
    desk: Desk, instance: Instance, database: Database, session: Session, *, fails: bool
) -> None:
    def post(_may_go_on: Callable[[], bool]) -> None:
        if len(desk.done) == 1:
            with database.transaction() as own:
                own.execute(text("ALTER TABLE core_job RENAME TO core_away"))
            if fails:
                with database.transaction() as own:
                    own.execute(text("SELECT 1 FROM core_job"))

    desk.chore("desk.post", post)
    worker = Worker(instance)
    for _ in range(2):
        with pytest.raises(DBAPIError):
            worker.turn()
    with database.transaction() as elsewhere:
        elsewhere.execute(text("ALTER TABLE core_away RENAME TO core_job"))

    worker.turn()

    assert desk.done == ["desk.post"] * 2
    stored = state(session, "desk.post")
    assert (stored.runs, stored.failures, stored.leased_by) == (1, 0, None)
