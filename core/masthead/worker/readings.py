"""The gauges of workers and jobs that the database knows, whichever worker runs them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from sqlalchemy import Connection, func, select

from masthead.db import utcnow
from masthead.instance import Reading
from masthead.worker.heartbeat import is_alive
from masthead.worker.models import WorkerState
from masthead.worker.queue import QueuedJob, queued_jobs

if TYPE_CHECKING:
    from masthead.instance import Instance

Values = Iterable[tuple[tuple[str, ...], float]]


def worker_readings() -> list[Reading]:
    """Return the gauges of workers and of each job of the enabled plugins."""
    return [
        Reading("masthead_workers", "Workers with a heartbeat in the last minute.", (), _workers),
        Reading(
            "masthead_job_lag_seconds",
            "Time since the job should have begun; 0 for one that isn't due or that runs.",
            ("name",),
            _of_each(_lag),
        ),
        Reading(
            "masthead_job_failures_in_a_row",
            "Failures since the last successful run.",
            ("name",),
            _of_each(lambda job: job.failures),
        ),
        Reading(
            "masthead_job_last_run_timestamp_seconds",
            "Time of the end of the last run, in seconds since 1970; 0 for none.",
            ("name",),
            _of_each(_last_run),
        ),
    ]


def _workers(_instance: Instance, connection: Connection) -> Values:
    alive = select(func.count()).select_from(WorkerState).where(is_alive())
    return [((), connection.execute(alive).scalar() or 0)]


def _of_each(value: Callable[[QueuedJob], float]) -> Callable[[Instance, Connection], Values]:
    def read(instance: Instance, connection: Connection) -> Values:
        return [((job.name,), value(job)) for job in queued_jobs(instance, connection)]

    return read


def _lag(job: QueuedJob) -> float:
    if job.running or job.next_run is None:
        return 0.0
    return max(0.0, (utcnow() - job.next_run).total_seconds())


def _last_run(job: QueuedJob) -> float:
    return job.last_run.timestamp() if job.last_run is not None else 0.0
