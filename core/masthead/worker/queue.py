"""The jobs in view: their last and next runs, and a run at once."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, select, update
from sqlalchemy.orm import Session

from masthead.db import utcnow
from masthead.errors import NotFound
from masthead.instance import instance_of
from masthead.worker.heartbeat import is_alive
from masthead.worker.idle import latest_run
from masthead.worker.jobs import Chore, Job, jobs_of
from masthead.worker.models import JobState, WorkerState
from masthead.worker.schedule import leased_until, register

if TYPE_CHECKING:
    from masthead.instance import Instance


@dataclass(frozen=True)
class QueuedJob:
    """A job of an enabled plugin, and its state."""

    name: str
    every: timedelta
    last_run: datetime | None
    next_run: datetime | None
    """The time at which it runs at the latest; None before a worker has seen it."""
    runs: int
    """The number of successful runs."""
    failures: int
    """The number of failures since the last successful run."""
    last_error: str | None
    running: bool


def queued_jobs(instance: Instance, connection: Connection) -> list[QueuedJob]:
    """Return all jobs by name."""
    table = JobState.__table__
    states = {row.name: row for row in connection.execute(select(table))}
    jobs = sorted(instance.shared(jobs_of), key=lambda job: job.name)
    return [_queued(job, states.get(job.name)) for job in jobs]


def live_workers(connection: Connection) -> list[Any]:
    """Return host, process id and last heartbeat of the live workers."""
    columns = WorkerState.host, WorkerState.pid, WorkerState.seen_at
    return list(connection.execute(select(*columns).where(is_alive()).order_by(*columns[:2])))


def run_soon(session: Session, name: str) -> None:
    """Make a job due, so that a worker runs it within seconds; its failures stay counted.

    A job that runs now isn't interrupted, and runs once more.

    :raises NotFound: if no enabled plugin has the job.
    """
    jobs = [job for job in instance_of(session).shared(jobs_of) if job.name == name]
    if not jobs:
        raise NotFound(f"There is no job {name}")
    register(session, jobs)
    session.execute(update(JobState).where(JobState.name == name).values(due_at=utcnow()))


def _queued(job: Job | Chore, state: Any) -> QueuedJob:
    leased = leased_until(state) if state else None
    return QueuedJob(
        name=job.name,
        every=job.every,
        last_run=state.last_run_at if state else None,
        next_run=latest_run(job, state) if state else None,
        runs=state.runs if state else 0,
        failures=state.failures if state else 0,
        last_error=state.last_error if state else None,
        running=leased is not None and leased > utcnow(),
    )
