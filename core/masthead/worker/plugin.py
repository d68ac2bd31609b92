"""How the worker joins core: its settings, its check and core's own jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from masthead.hookspecs import hookimpl
from masthead.settings import Setting, boolean
from masthead.worker.jobs import Chore, Job
from masthead.worker.retention import AUDIT, NOTIFICATIONS, retention_jobs
from masthead.worker.sqlite import sqlite_jobs
from masthead.worker.worker import LEASE

if TYPE_CHECKING:
    from masthead.instance import Instance

INSIDE = Setting(
    "masthead.worker.inside",
    boolean,
    "true",
    "Whether masthead serve runs a worker beside the web server; where it doesn't, masthead worker"
    " has to.",
    shows=False,
)


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """How workers work, and how long what core notes is kept."""
    return [INSIDE, LEASE, NOTIFICATIONS, AUDIT]


@hookimpl
def masthead_jobs(instance: Instance) -> list[Job | Chore]:
    """What core itself has to have done."""
    return [*retention_jobs(instance), *sqlite_jobs(instance)]
