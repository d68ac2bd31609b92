"""The audit log as part of core: its endpoint, its retention."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from masthead.audit import views
from masthead.audit.declared import core_actions
from masthead.audit.models import AuditEntry
from masthead.audit.settings import DAYS
from masthead.hookspecs import hookimpl
from masthead.http.endpoints import Endpoint, endpoints_in
from masthead.instance import Instance
from masthead.ports.audit import AuditAction
from masthead.settings import Setting
from masthead.worker.jobs import Job
from masthead.worker.retention import deleting


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Return how long entries are kept."""
    return [DAYS]


@hookimpl
def masthead_audit_actions(resources: Mapping[str, Any]) -> list[AuditAction]:
    """Return the actions of core."""
    return core_actions(resources)


@hookimpl
def masthead_jobs(instance: Instance) -> list[Job]:
    """Return the job that deletes old entries."""
    delete_old = deleting(AuditEntry.id, AuditEntry.at, instance.settings[DAYS])
    return [Job("audit.retention", timedelta(hours=6), delete_old)]


@hookimpl
def masthead_routes() -> list[Endpoint]:
    """Return the endpoint that lists the log."""
    return endpoints_in(views)
