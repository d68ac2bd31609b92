"""What a plugin declares of work that comes again and again: jobs and chores."""

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
    """Work done in one transaction, in which it is also marked as done.

    So it has happened wholly or not at all, whenever its worker is killed, and never twice.
    """

    name: str
    """``<plugin or area>.<what it does>``, such as ``audit.retention``."""
    every: timedelta
    """How long it rests after it was done."""
    run: Callable[[Session], bool | None]
    """Does a portion of some milliseconds, for SQLite's other writers wait meanwhile; True where
    there is more to do, so that it is called again at once. It neither commits nor rolls back."""


@dataclass(frozen=True)
class Chore:
    """Work that no transaction of the worker's can hold: it talks to others, or opens its own.

    One worker at a time has it, by a lease that is renewed while it runs. A worker that is killed
    loses it when the lease ends; another one does the chore again then.
    """

    name: str
    every: timedelta
    """How long it rests after it was done."""
    run: Callable[[Instance, Callable[[], bool]], bool | None]
    """Works for some seconds at most; True where there is more to do. Its second argument says
    whether it may go on: ask it before each step, and return soon once it says no."""


def jobs_of(instance: Instance) -> tuple[Job | Chore, ...]:
    """All that the enabled plugins declare.

    :raises StartError: where two bear one name.
    """
    owned = collect(instance.manager, "masthead_jobs", instance=instance)
    return tuple(check_unique(owned, lambda job: job.name, lambda job: f"the job {job.name}"))
