"""The check that no job of the worker fails again and again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from masthead.worker.models import JobState

if TYPE_CHECKING:
    from masthead.instance import Instance

_MOST = 5
"""The maximum number of jobs to list."""


def jobs_trouble(instance: Instance) -> str | None:
    """Return the jobs whose last run failed, with their last error."""
    failing = (
        select(JobState.name, JobState.failures, JobState.last_error)
        .where(JobState.failures > 0)
        .order_by(JobState.failures.desc(), JobState.name)
        .limit(_MOST)
    )
    with instance.database.read() as connection:
        rows = connection.execute(failing).all()
    lines = [f"{row.name} failed {row.failures} times in a row: {row.last_error}" for row in rows]
    return "; ".join(lines) or None
