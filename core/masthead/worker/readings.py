"""The gauges of workers and jobs that the database knows, whichever worker runs them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, func, select

from masthead.db import utcnow
from masthead.instance import Reading
from masthead.worker.heartbeat import is_alive
from masthead.worker.jobs import jobs_of
from masthead.worker.models import JobState, WorkerState

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
            ("job",),
            _of_each(_lag),
        ),
        Reading(
            "masthead_job_failures_in_a_row",
            "Failures since the last successful run.",
            ("job",),
            _of_each(lambda state: state.failures),
        ),
        Reading(
            "masthead_job_last_run_timestamp_seconds",
            "Time of the end of the last run, in seconds since 1970; 0 for none.",
            ("job",),
            _of_each(_last_run),
        ),
    ]


def _workers(_instance: Instance, connection: Connection) -> Values:
    alive = select(func.count()).select_from(WorkerState).where(is_alive())
    return [((), connection.execute(alive).scalar() or 0)]


def _of_each(value: Callable[[Any], float]) -> Callable[[Instance, Connection], Values]:
    def read(instance: Instance, connection: Connection) -> Values:
        names = {job.name for job in instance.shared(jobs_of)}
        table = JobState.__table__
        rows = connection.execute(select(table).where(table.c.name.in_(names))).all()
        return [((row.name,), value(row)) for row in rows]

    return read


def _lag(state: Any) -> float:
    now = utcnow()
    runs = state.lease_until is not None and state.lease_until > now
    return 0.0 if runs else max(0.0, (now - state.due_at).total_seconds())


def _last_run(state: Any) -> float:
    return state.last_run_at.timestamp() if state.last_run_at is not None else 0.0
