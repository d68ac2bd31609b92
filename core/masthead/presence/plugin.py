"""Presence as part of core: its setting, endpoints and job."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from masthead.hookspecs import hookimpl
from masthead.http.endpoints import Endpoint
from masthead.instance import Instance
from masthead.presence.services import SECONDS, delete_old
from masthead.presence.views import presence_endpoints
from masthead.settings import Setting
from masthead.worker.jobs import Job


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Return the setting of presence."""
    return [SECONDS]


@hookimpl
def masthead_routes(instance: Instance) -> list[Endpoint]:
    """Return the endpoints of presence."""
    return presence_endpoints(instance)


@hookimpl
def masthead_jobs() -> list[Job]:
    """Return the job that deletes the users who have left."""
    return [Job("presence.retention", timedelta(hours=1), delete_old)]
