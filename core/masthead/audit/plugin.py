"""How the audit log joins core: its endpoint, and for how long entries are kept."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from masthead.audit import schemas, views
from masthead.audit.models import AuditEntry
from masthead.audit.settings import DAYS
from masthead.hookspecs import hookimpl
from masthead.http.endpoints import Endpoint
from masthead.http.paging import MOST_ROWS
from masthead.http.permissions import ADMIN
from masthead.instance import Instance
from masthead.settings import Setting
from masthead.worker.jobs import Job
from masthead.worker.retention import deleting


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """For how long entries are kept."""
    return [DAYS]


@hookimpl
def masthead_jobs(instance: Instance) -> list[Job]:
    """Delete what is older."""
    delete_old = deleting(AuditEntry.id, AuditEntry.at, instance.settings[DAYS])
    return [Job("audit.retention", timedelta(hours=6), delete_old)]


@hookimpl
def masthead_routes() -> list[Endpoint]:
    """The log, for administrators."""
    return [
        Endpoint(
            name="audit.list",
            method="GET",
            path="/api/staff/audit-log",
            view=views.list_log,
            permission=ADMIN,
            summary="List what happened, newest first",
            returns=schemas.ENTRIES,
            query=schemas.FILTER,
            page=MOST_ROWS,
        )
    ]
