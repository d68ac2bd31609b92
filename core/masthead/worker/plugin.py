"""How the worker joins core: its settings, its check and the database's own jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from masthead.hookspecs import hookimpl
from masthead.instance import Check
from masthead.settings import Setting, boolean
from masthead.worker.heartbeat import worker_trouble
from masthead.worker.jobs import Chore, Job
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
    """How workers work."""
    return [INSIDE, LEASE]


@hookimpl
def masthead_checks() -> list[Check]:
    """Some worker lives."""
    return [Check("worker", worker_trouble)]


@hookimpl
def masthead_jobs(instance: Instance) -> list[Job | Chore]:
    """What the database has to have done."""
    return sqlite_jobs(instance)
