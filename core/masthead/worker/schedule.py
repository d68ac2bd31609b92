"""The schedule of jobs: which are due, and the record of their runs and failures.

Times in the database come from the clocks of several machines, which differ and may be set.
Therefore a time too far in the future to be plausible counts as past.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, Update, bindparam, select, update
from sqlalchemy.orm import Session

from masthead.db import CLOCK_SKEW, utcnow
from masthead.db.upsert import insert_missing
from masthead.worker.backoff import Backoff
from masthead.worker.holders import has_ended
from masthead.worker.jobs import Chore, Job
from masthead.worker.models import JobState

# Without jitter, because the delay is computed again to find clocks that were set back.
_RETRY = Backoff(first=timedelta(seconds=10), longest=timedelta(hours=1), jitter=0)
_MAX_ERROR = 500

State = Row[str, datetime, str | None, datetime | None, int, datetime | None]
"""The row of a job: ``name``, ``due_at``, ``leased_by``, ``lease_until``, ``failures``,
``last_run_at``."""

_TABLE: Any = JobState.__table__
_STATE = select(
    _TABLE.c.name,
    _TABLE.c.due_at,
    _TABLE.c.leased_by,
    _TABLE.c.lease_until,
    _TABLE.c.failures,
    _TABLE.c.last_run_at,
)
# Statements that are built once, because a worker without work runs little else.
_STATE_OF_JOB = _STATE.where(_TABLE.c.name == bindparam("job"))
_LOCKED = _STATE_OF_JOB.with_for_update()
_LOCKED_IF_FREE = _STATE_OF_JOB.with_for_update(skip_locked=True)
_RELEASE = update(_TABLE).where(_TABLE.c.name == bindparam("job"))
_RELEASE = _RELEASE.values(leased_by=None, lease_until=None)
_NAMES = ("due_at", "last_run_at", "failures", "last_error")
_FAILED = _RELEASE.values({name: bindparam(name) for name in _NAMES})
_INTERRUPTED = _RELEASE.values(due_at=bindparam("due_at"))
_DONE = _FAILED.values(runs=_TABLE.c.runs + 1)


def states(connection: Connection) -> dict[str, State]:
    """Return the states of all registered jobs, by name."""
    return {state.name: state for state in connection.execute(_STATE)}


def register(session: Session, jobs: Iterable[Job | Chore]) -> None:
    """Insert rows for new jobs, due at once; existing rows stay unchanged."""
    now = utcnow()
    rows = [{"name": job.name, "due_at": now, "runs": 0, "failures": 0} for job in jobs]
    insert_missing(session, JobState, rows)


def wait(job: Job | Chore, state: State, lease: timedelta) -> timedelta:
    """Return the time until a job may be taken; zero if it may be taken now."""
    delay = _RETRY.delay(state.failures) if state.failures else job.every
    waits = [_ahead(state.due_at, delay)]
    if (until := leased_until(state)) is not None:
        waits.append(_ahead(until, lease))
    return max(waits)


def leased_until(state: Any) -> datetime | None:
    """Return the end of the lease of a job; None without one, or if its process has ended.

    :param state: the row of the job.
    """
    until: datetime | None = state.lease_until
    return None if has_ended(state.leased_by or "") else until


def time_since_run(job: Job | Chore, state: State) -> timedelta | None:
    """Return the time since the last run of a job that is due by its interval.

    :returns: None if it has not run yet, its last run failed or left work, or a run is asked for.
    """
    last = state.last_run_at
    is_regular = last is not None and not state.failures and state.due_at == last + job.every
    return utcnow() - last if is_regular else None


def take(session: Session, job: Job | Chore, lease: timedelta) -> State | None:
    """Lock the row of a job until the transaction ends; None if it isn't due or is locked."""
    state = session.execute(_LOCKED_IF_FREE, {"job": job.name}).one_or_none()
    return state if state is not None and not wait(job, state, lease) else None


def mark_done(session: Session, job: Job | Chore, *, more: bool) -> None:
    """Record a successful run; if there is ``more`` to do, the job is due again at once."""
    now = utcnow()
    _mark(
        session,
        _DONE,
        job,
        due_at=now if more else now + job.every,
        last_run_at=now,
        failures=0,
        last_error=None,
    )


def mark_interrupted(session: Session, job: Job | Chore) -> None:
    """Record a run that an outage of the database has interrupted: the job is due at once."""
    session.execute(_INTERRUPTED, {"job": job.name, "due_at": utcnow()})


def mark_failed(session: Session, job: Job | Chore, error: BaseException) -> timedelta:
    """Record a failure and return the delay until the next try, which grows each time."""
    state = session.execute(_LOCKED, {"job": job.name}).one()
    now = utcnow()
    delay = _RETRY.delay(state.failures + 1)
    _mark(
        session,
        _FAILED,
        job,
        due_at=now + delay,
        last_run_at=now,
        failures=state.failures + 1,
        last_error=" ".join(f"{type(error).__name__}: {error}".split())[:_MAX_ERROR],
    )
    return delay


def _mark(session: Session, statement: Update, job: Job | Chore, **values: Any) -> None:
    session.execute(statement, {"job": job.name, **values})


def _ahead(moment: datetime, longest: timedelta) -> timedelta:
    left = moment - utcnow()
    return left if timedelta(0) < left <= longest + CLOCK_SKEW else timedelta(0)
