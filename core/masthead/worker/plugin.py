"""The hooks of the worker: its settings, its check and the jobs of the database."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from masthead.hookspecs import hookimpl
from masthead.http.idempotency import HOURS, IdempotencyKey
from masthead.instance import Check, Reading
from masthead.settings import Setting, boolean
from masthead.worker.failing import jobs_trouble
from masthead.worker.heartbeat import worker_trouble
from masthead.worker.jobs import Chore, Job
from masthead.worker.readings import worker_readings
from masthead.worker.retention import deleting
from masthead.worker.sqlite import sqlite_jobs
from masthead.worker.worker import LEASE

if TYPE_CHECKING:
    from masthead.instance import Instance

INSIDE = Setting(
    "masthead.worker.inside",
    boolean,
    "true",
    "Whether masthead serve also runs a worker; if it doesn't, masthead worker must run.",
    shows=False,
)


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Declare the settings of workers."""
    return [INSIDE, LEASE]


@hookimpl
def masthead_checks() -> list[Check | Reading]:
    """Declare the checks of workers and jobs, and their gauges."""
    return [
        Check(
            "worker",
            worker_trouble,
            readiness=False,
            remedy="masthead worker, or a restart of masthead serve",
        ),
        Check(
            "jobs",
            jobs_trouble,
            readiness=False,
            level="warning",
            remedy="the log of the worker has the details; it tries again by itself",
        ),
        *worker_readings(),
    ]


@hookimpl
def masthead_jobs(instance: Instance) -> list[Job | Chore]:
    """Declare the maintenance jobs of the database, and the one that deletes old keys."""
    days = instance.settings[HOURS] / 24
    delete_old = deleting(IdempotencyKey.id, IdempotencyKey.at, days)
    return [*sqlite_jobs(instance), Job("idempotency.retention", timedelta(hours=1), delete_old)]
