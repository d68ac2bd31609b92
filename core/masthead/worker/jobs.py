"""Declarations of recurring work: jobs and chores."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy.orm import Session

from masthead.plugins import check_unique, collect

if TYPE_CHECKING:
    from masthead.instance import Instance


@dataclass(frozen=True)
class Job:
    """Recurring work in one transaction, which also records that it is done.

    Even if its worker is killed, a run is done exactly once or not at all.
    """

    name: str
    """``<plugin or area>.<task>``, such as ``audit.retention``."""
    every: timedelta
    """The interval after a run."""
    run: Callable[[Session], bool | None]
    """Does a portion of the work that takes some milliseconds, because other writers of SQLite wait
    for it. It returns True if there is more to do and is then called again at once. It neither
    commits nor rolls back."""
    has_work: Callable[[Instance], bool] | None = None
    """Returns whether there may be something to do, by a query that takes no time. A job with an
    interval of seconds that has nothing to do then runs once a minute, so that an idle instance
    writes little. It isn't asked for a job with a longer interval."""


@dataclass(frozen=True)
class Chore:
    """Recurring work outside of a transaction, such as calls to other servers.

    One worker at a time runs it, with a lease that is renewed meanwhile. If the worker is killed,
    the lease expires and another worker runs the chore again.
    """

    name: str
    """``<plugin or area>.<task>``, such as ``webhooks.deliver``."""
    every: timedelta
    """The interval after a run."""
    run: Callable[[Instance, Callable[[], bool]], bool | None]
    """Works for some seconds at most and returns True if there is more to do. Its second argument
    returns whether it may continue: call it before each step, and return soon if it is False."""
    has_work: Callable[[Instance], bool] | None = None
    """Returns whether there may be something to do, as for a :class:`Job`."""


def jobs_of(instance: Instance) -> tuple[Job | Chore, ...]:
    """Return the jobs and chores of the enabled plugins.

    :raises StartError: if two have the same name.
    """
    owned = collect(instance.manager, "masthead_jobs", (Job, Chore), instance=instance)
    return tuple(check_unique(owned, lambda job: job.name, lambda job: f"the job {job.name}"))
