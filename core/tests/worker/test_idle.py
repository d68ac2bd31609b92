"""Jobs that a worker runs only if they have something to do."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import pytest

from masthead import Chore, Instance, Job, Plugin, hookimpl
from masthead.core_plugin import plugin as core
from masthead.testing.clock import Clock
from masthead.worker.queue import queued_jobs, run_soon
from masthead.worker.worker import Worker

EVERY = timedelta(seconds=5)


class Letterbox:
    """A plugin with a job and a chore that empty a box."""

    def __init__(self) -> None:
        self.letters = 0
        self.looks = 0
        self.runs: list[str] = []
        self.fault: type[BaseException] | None = None

    def has_letters(self, _instance: Instance) -> bool:
        self.looks += 1
        if self.fault is not None:
            raise self.fault("the box is jammed")
        return self.letters > 0

    def empty(self, name: str) -> None:
        self.runs.append(name)

    @hookimpl
    def masthead_jobs(self) -> list[Job | Chore]:
        return [
            Job("box.job", EVERY, lambda _session: self.empty("job"), self.has_letters),
            Chore("box.chore", EVERY, lambda _instance, _: self.empty("chore"), self.has_letters),
        ]


@pytest.fixture
def box() -> Letterbox:
    return Letterbox()


@pytest.fixture
def plugins(box: Letterbox) -> Sequence[Plugin]:
    return (core, Plugin(name="box", hooks=(box,)))


@pytest.fixture
def worker(box: Letterbox, instance: Instance) -> Worker:
    """A worker that has run each job of the box once."""
    made = Worker(instance, jobs=box.masthead_jobs())
    made.turn()
    assert sorted(box.runs) == ["chore", "job"]
    box.runs.clear()
    return made


def test_jobs_without_work_do_not_run(clock: Clock, box: Letterbox, worker: Worker) -> None:
    for _ in range(3):
        clock.shift(seconds=5)
        worker.turn()

    assert (box.runs, box.looks) == ([], 6)


def test_a_worker_looks_for_work_no_more_often_than_it_would_run_a_job(
    clock: Clock, box: Letterbox, worker: Worker
) -> None:
    clock.shift(seconds=5)

    rest = worker.turn()
    clock.shift(seconds=3)
    left = worker.turn()

    assert (rest, left, box.looks) == (5, 2, 2)


def test_jobs_run_when_there_is_work(clock: Clock, box: Letterbox, worker: Worker) -> None:
    clock.shift(seconds=5)
    worker.turn()
    box.letters = 1
    clock.shift(seconds=5)

    worker.turn()

    assert sorted(box.runs) == ["chore", "job"]


def test_jobs_without_work_run_once_a_minute(clock: Clock, box: Letterbox, worker: Worker) -> None:
    for _ in range(24):
        clock.shift(seconds=5)
        worker.turn()

    assert sorted(box.runs) == ["chore", "chore", "job", "job"]


def test_a_clock_that_is_set_back_hides_no_work(
    clock: Clock, box: Letterbox, worker: Worker
) -> None:
    clock.shift(seconds=5)
    worker.turn()
    box.letters = 1
    clock.shift(days=-1)

    worker.turn()

    assert sorted(box.runs) == ["chore", "job"]


def test_jobs_without_work_run_after_the_clock_was_set_back(
    clock: Clock, box: Letterbox, worker: Worker
) -> None:
    clock.shift(seconds=5)
    worker.turn()
    clock.shift(days=-1)

    worker.turn()

    assert sorted(box.runs) == ["chore", "job"]


@pytest.mark.parametrize("name", ["job", "chore"])
def test_a_run_that_is_asked_for_needs_no_work(
    name: str, clock: Clock, box: Letterbox, worker: Worker, instance: Instance
) -> None:
    clock.shift(seconds=2)
    with instance.database.transaction() as session:
        run_soon(session, f"box.{name}")

    worker.turn()

    assert box.runs == [name]


@pytest.mark.parametrize("error", [RuntimeError, SystemExit])
def test_jobs_run_if_looking_for_work_fails_and_that_is_logged_once(
    error: type[BaseException],
    clock: Clock,
    box: Letterbox,
    worker: Worker,
    caplog: pytest.LogCaptureFixture,
) -> None:
    box.fault = error
    for _ in range(2):
        clock.shift(seconds=5)
        worker.turn()

    assert sorted(box.runs) == ["chore", "chore", "job", "job"]
    lines = [each.getMessage() for each in caplog.records]
    assert len([line for line in lines if line.startswith("The job box.job runs at each")]) == 1


def test_the_next_run_is_the_latest_one(clock: Clock, worker: Worker, instance: Instance) -> None:
    latest = clock.now() + timedelta(minutes=1)
    clock.shift(seconds=5)
    worker.turn()

    with instance.database.read() as connection:
        queued = {each.name: each for each in queued_jobs(instance, connection)}

    assert queued["box.job"].next_run == latest
