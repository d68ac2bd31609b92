"""The state of the running system for administrators: jobs, figures, disk, versions."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from importlib.metadata import version
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.orm import Session

from masthead.audit.services import record
from masthead.db.maintenance import switch_maintenance
from masthead.hookspecs import hookimpl
from masthead.http.endpoints import Endpoint, endpoint
from masthead.http.permissions import ADMIN
from masthead.http.request import Request
from masthead.instance import Check, Instance, Reading
from masthead.schemas.field_types import Anything, Bool, Int, Str, Timestamp
from masthead.schemas.schema import SUCCESS, ListOf, Nullable, Object, required, schema
from masthead.web.readings import Readings
from masthead.worker.queue import QueuedJob, live_workers, queued_jobs, run_soon

_JOB = schema(
    {
        "name": required(Str(200), help="The name of the job.", example="news.reindex"),
        "everySeconds": required(Int(), help="The seconds between two runs."),
        "lastRun": required(Nullable(Timestamp()), help="The time of the last run."),
        "nextRun": required(Nullable(Timestamp()), help="The time of the next run, at the latest."),
        "runs": required(Int(), help="The number of runs."),
        "failures": required(Int(), help="The number of failures since the last success."),
        "lastError": required(Nullable(Str(500)), help="The error of the last failure."),
        "running": required(Bool(), help="Whether it runs now."),
    },
    name="Job",
    help="A background job.",
)
_WORKER = schema(
    {
        "host": required(Str(255), help="The name of the machine.", example="web-1"),
        "pid": required(Int(), help="The number of the process."),
        "seenAt": required(Timestamp(), help="The time of its last sign of life."),
    },
    name="Worker",
    help="A process that runs background jobs.",
)
_PLUGIN = schema(
    {
        "name": required(Str(100), help="The name of the plugin.", example="news"),
        "version": required(Str(100), help="The version of the plugin.", example="1.4.2"),
    },
    name="PluginVersion",
    help="An enabled plugin.",
)
_FIGURE = schema(
    {
        "name": required(
            Str(200), help="The name of the figure.", example="masthead_outbox_messages"
        ),
        "labels": required(Anything(), help="The values of the labels of the figure."),
        "value": required(Int(), help="The value."),
    },
    name="Figure",
    help="A number that a monitor watches.",
)
_DISK = schema(
    {
        "totalBytes": required(Int(), help="The size of the disk."),
        "freeBytes": required(Int(), help="The free space."),
    },
    name="Disk",
    help="A disk, in bytes.",
)
_SYSTEM = schema(
    {
        "version": required(Str(100), help="The version of Masthead.", example="1.4.2"),
        "database": required(
            Str(100), help="The database and its version.", example="PostgreSQL 15.4"
        ),
        "maintenance": required(Bool(), help="Whether writes are refused."),
        "plugins": required(ListOf(Object(_PLUGIN)), help="The enabled plugins."),
        "disk": required(Object(_DISK), help="The disk with the data folder."),
        "workers": required(ListOf(Object(_WORKER)), help="The workers that are alive."),
        "jobs": required(ListOf(Object(_JOB)), help="The background jobs."),
        "figures": required(
            ListOf(Object(_FIGURE)),
            help="Figures that the database knows, such as the length of queues.",
        ),
    },
    name="System",
    help="The state of the running system.",
)


@hookimpl
def masthead_routes() -> list[Endpoint]:
    """Declare the endpoints of the system's state."""
    return [show_system, run_job]


@hookimpl
def masthead_checks() -> list[Check | Reading]:
    """Declare the state of maintenance, and the gauges of maintenance and of the disk."""
    return [
        Check("maintenance", maintenance_trouble, readiness=False),
        Reading("masthead_maintenance", "Whether writes are refused: 1 or 0.", (), _maintenance),
        Reading(
            "masthead_data_free_bytes", "Free space on the disk of the data folder.", (), _free
        ),
    ]


@hookimpl
def masthead_imported(session: Session) -> None:
    """End maintenance: an export of an instance in maintenance has the switch, too."""
    switch_maintenance(session, on=False)


@hookimpl
def masthead_restored(session: Session) -> None:
    """End maintenance: a backup that was made in maintenance has the switch, too."""
    switch_maintenance(session, on=False)


@endpoint("GET", "/api/staff/system", name="staff.system.show", permission=ADMIN, returns=_SYSTEM)
def show_system(request: Request) -> dict[str, Any]:
    """Show jobs, workers, figures such as those of the outbox, disk, versions and plugins."""
    instance = request.instance
    with instance.database.read() as connection:
        jobs, workers = queued_jobs(instance, connection), live_workers(connection)
    return {
        **_software(instance),
        "maintenance": instance.maintenance.is_on(),
        "disk": _disk(instance),
        "workers": [{"host": w.host, "pid": w.pid, "seenAt": w.seen_at} for w in workers],
        "jobs": [_described(job) for job in jobs],
        "figures": _figures(instance),
    }


@endpoint(
    "POST",
    "/api/staff/system/jobs/{name}/run",
    name="staff.system.jobs.run",
    permission=ADMIN,
    returns=SUCCESS,
)
def run_job(request: Request) -> dict[str, bool]:
    """Have a worker run a job within seconds, also one that waits after a failure."""
    name = request.matchdict["name"]
    run_soon(request.db, name)
    record(request.db, "job.run", request.identity, job=name)
    return {"success": True}


def maintenance_trouble(instance: Instance) -> str | None:
    """Return a message while maintenance refuses writes."""
    if not instance.maintenance.is_on():
        return None
    return "writes are refused and jobs wait; masthead maintenance off ends it"


def _described(job: QueuedJob) -> dict[str, Any]:
    return {
        "name": job.name,
        "everySeconds": round(job.every.total_seconds()),
        "lastRun": job.last_run,
        "nextRun": job.next_run,
        "runs": job.runs,
        "failures": job.failures,
        "lastError": job.last_error,
        "running": job.running,
    }


def _software(instance: Instance) -> dict[str, Any]:
    return {
        "version": version("masthead-core"),
        "database": instance.database.dialect,
        "plugins": [{"name": each.name, "version": each.version} for each in instance.plugins],
    }


def _disk(instance: Instance) -> dict[str, int]:
    usage = shutil.disk_usage(_existing(instance))
    return {"totalBytes": usage.total, "freeBytes": usage.free}


def _figures(instance: Instance) -> list[dict[str, Any]]:
    values, _ = instance.shared(Readings).values()
    return [
        {
            "name": reading.name,
            "labels": dict(zip(reading.labels, labels, strict=True)),
            "value": round(v),
        }
        for reading in instance.readings
        for labels, v in values.get(reading.name, ())
    ]


def _maintenance(instance: Instance, _connection: Connection) -> Iterable[tuple[tuple[()], float]]:
    return [((), float(instance.maintenance.is_on()))]


def _free(instance: Instance, _connection: Connection) -> Iterable[tuple[tuple[()], float]]:
    return [((), shutil.disk_usage(_existing(instance)).free)]


def _existing(instance: Instance) -> str:
    """Return the data folder, or the nearest folder above it that exists."""
    folders = instance.data, *instance.data.absolute().parents
    return str(next(each for each in folders if each.exists()))
