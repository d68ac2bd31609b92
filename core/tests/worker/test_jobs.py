from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select, text
from sqlalchemy.orm import Session

from core.tests.worker.desk import Desk, state
from masthead import Instance, Plugin, StartError
from masthead.core_plugin import plugin as core
from masthead.db import Database
from masthead.testing.clock import Clock
from masthead.worker.jobs import jobs_of
from masthead.worker.models import WorkerState
from masthead.worker.worker import Worker


@pytest.fixture
def plugins(desk: Desk) -> Sequence[Plugin]:
    return (core, Plugin(name="desk", hooks=(desk,)))


@pytest.fixture
def settings() -> dict[str, str]:
    return {"masthead.worker.lease": "1"}


@pytest.fixture(autouse=True)
def total(database: Database) -> Callable[[], int]:
    """Return the counts that the jobs have stored in their transactions."""
    with database.transaction() as session:
        session.execute(text("CREATE TABLE desk_total (value INTEGER)"))
        session.execute(text("INSERT INTO desk_total VALUES (0)"))

    def ask() -> int:
        with database.read() as connection:
            return int(connection.execute(text("SELECT value FROM desk_total")).scalar_one())

    return ask


def test_a_job_that_is_due_is_done(desk: Desk, work: Callable[[], None]) -> None:
    desk.job("desk.tidy")

    work()

    assert desk.done == ["desk.tidy"]


def test_a_job_rests_after_it_was_done(
    clock: Clock, desk: Desk, work: Callable[[], None], session: Session
) -> None:
    desk.job("desk.tidy")
    work()
    clock.shift(minutes=59)
    work()
    assert desk.done == ["desk.tidy"]

    clock.shift(minutes=1)
    work()

    assert desk.done == ["desk.tidy"] * 2
    assert state(session, "desk.tidy").runs == 2
    assert state(session, "desk.tidy").last_run_at == clock.now()


@pytest.mark.parametrize("days", [-1, 1])
def test_a_clock_that_steps_keeps_no_job_from_its_turn(
    days: int, clock: Clock, desk: Desk, work: Callable[[], None]
) -> None:
    desk.job("desk.tidy")
    desk.chore("desk.post", lambda _: False)
    work()

    clock.shift(days=days)
    work()

    assert sorted(desk.done) == ["desk.post"] * 2 + ["desk.tidy"] * 2


@pytest.mark.parametrize("seconds", [2, 59])
def test_a_worker_whose_clock_is_behind_does_nothing_a_second_time(
    seconds: int, clock: Clock, desk: Desk, instance: Instance
) -> None:
    def meet(_: Any) -> bool:
        clock.shift(seconds=-seconds)
        Worker(instance).turn()
        clock.shift(seconds=seconds)
        return False

    desk.job("desk.tidy")
    desk.chore("desk.post", meet)
    Worker(instance).turn()

    clock.shift(seconds=-seconds)
    Worker(instance).turn()

    assert sorted(desk.done) == ["desk.post", "desk.tidy"]


def test_a_job_that_has_more_to_do_comes_again_at_once_after_the_others(
    desk: Desk, work: Callable[[], None], session: Session
) -> None:
    desk.job("desk.tidy", lambda _: desk.done.count("desk.tidy") < 3)
    desk.job("desk.sort")

    work()

    assert desk.done.count("desk.tidy") == 3
    assert "desk.sort" in desk.done[:2]
    assert state(session, "desk.tidy").runs == 3


@pytest.mark.parametrize("leave", [lambda: 1 / 0, sys.exit])
def test_a_job_that_fails_leaves_nothing_but_a_mark(
    leave: Callable[[], Any],
    clock: Clock,
    desk: Desk,
    instance: Instance,
    session: Session,
    total: Callable[[], int],
    caplog: pytest.LogCaptureFixture,
) -> None:
    desk.job("desk.tidy", lambda _: leave())
    desk.job("desk.sort")

    Worker(instance).turn()

    failed = state(session, "desk.tidy")
    assert (failed.runs, failed.failures, total()) == (0, 1, 1)
    assert failed.due_at == clock.now() + timedelta(seconds=10)
    assert "desk.sort" in desk.done
    assert "The job desk.tidy failed in the plugin desk (" in caplog.text
    assert "); next try in 10 s" in caplog.text


def test_an_error_is_kept_in_one_line(desk: Desk, instance: Instance, session: Session) -> None:
    def fail(_session: Session) -> None:
        raise ValueError("no\nroom" + "!" * 1000)

    desk.job("desk.tidy", fail)

    Worker(instance).turn()

    error = state(session, "desk.tidy").last_error
    assert error is not None
    assert error.startswith("ValueError: no room!")
    assert len(error) == 500


def test_a_job_that_fails_on_end_rests_longer_each_time_until_it_is_done(
    clock: Clock, desk: Desk, instance: Instance, session: Session
) -> None:
    desk.job("desk.tidy", lambda _: 1 / 0 if len(desk.done) < 12 else None)
    worker = Worker(instance)
    rests = []

    while len(desk.done) < 12:
        worker.turn()
        rest = state(session, "desk.tidy").due_at - clock.now()
        rests.append(rest.total_seconds())
        clock.shift(seconds=rest.total_seconds())

    assert rests[:4] == [10, 20, 40, 80]
    assert rests[-2:] == [3600, 3600]
    healed = state(session, "desk.tidy")
    assert (healed.runs, healed.failures, healed.last_error) == (1, 0, None)


@pytest.mark.slow
def test_a_worker_survives_a_database_that_is_away(
    desk: Desk, instance: Instance, database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    desk.job("desk.tidy")
    stop = threading.Event()
    with database.transaction() as session:
        session.execute(text("ALTER TABLE core_job RENAME TO core_away"))
    worker = threading.Thread(target=Worker(instance).run, args=(stop,))
    worker.start()

    wait_until(lambda: "The worker waits for the database" in caplog.text)
    with database.transaction() as session:
        session.execute(text("ALTER TABLE core_away RENAME TO core_job"))
    wait_until(lambda: desk.done)

    stop.set()
    worker.join()
    assert "Traceback" not in caplog.text
    assert caplog.text.count("The worker waits for the database") == 1
    assert caplog.text.count("The worker goes on") == 1


def test_a_job_that_lacks_a_migration_says_so_in_one_line(
    desk: Desk, instance: Instance, database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(session: Session) -> None:
        session.execute(text("SELECT 1 FROM nowhere"))

    desk.job("desk.tidy", fail)
    with database.transaction() as session:
        session.execute(text("UPDATE alembic_version_core SET version_num = '0003'"))

    Worker(instance).turn()

    assert (
        "The job desk.tidy waits for 10 s: the tables of core lack a revision;"
        " run masthead db upgrade" in caplog.text
    )
    assert "Traceback" not in caplog.text


@pytest.mark.slow
def test_a_worker_survives_a_plugin_that_breaks_every_transaction(
    desk: Desk, instance: Instance, session: Session, caplog: pytest.LogCaptureFixture
) -> None:
    desk.job("desk.tidy")
    desk.broken = True
    stop = threading.Event()
    worker = threading.Thread(target=Worker(instance).run, args=(stop,))
    worker.start()

    wait_until(lambda: "The worker's heartbeat failed" in caplog.text)
    wait_until(lambda: "The worker failed and continues" in caplog.text)
    desk.broken = False
    wait_until(lambda: desk.done and session.scalars(select(WorkerState)).all())

    stop.set()
    worker.join()


def test_postgresql_ends_the_transaction_of_a_worker_that_has_fallen_silent(
    desk: Desk, instance: Instance, session: Session, total: Callable[[], int]
) -> None:
    if instance.database.dialect != "postgresql":
        pytest.skip("on SQLite all workers are on one machine")
    desk.job("desk.tidy", lambda _: time.sleep(1.5))

    Worker(instance).turn()

    assert state(session, "desk.tidy").failures == 1
    assert total() == 0


def test_two_jobs_of_one_name_stop_the_start(desk: Desk, instance: Instance) -> None:
    desk.job("audit.retention")

    with pytest.raises(StartError, match=r"core and desk both declare the job audit\.retention"):
        jobs_of(instance)


def wait_until(condition: Callable[[], Any]) -> None:
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)
