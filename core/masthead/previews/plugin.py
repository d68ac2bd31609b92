"""Previews as part of core: their settings, endpoints and job."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from sqlalchemy import delete
from sqlalchemy.orm import Session

from masthead.hookspecs import hookimpl
from masthead.http.endpoints import Endpoint
from masthead.instance import Instance
from masthead.previews.models import Preview
from masthead.previews.services import delete_expired
from masthead.previews.settings import HOURS, MAX_HOURS, URL
from masthead.previews.views import preview_endpoints
from masthead.settings import Setting
from masthead.worker.jobs import Job


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Return the settings of previews."""
    return [URL, HOURS, MAX_HOURS]


@hookimpl
def masthead_routes(instance: Instance) -> list[Endpoint]:
    """Return the endpoints of previews."""
    return preview_endpoints(instance)


@hookimpl
def masthead_jobs() -> list[Job]:
    """Return the job that deletes expired links."""
    return [Job("previews.retention", timedelta(hours=1), delete_expired)]


@hookimpl
def masthead_restored(session: Session) -> None:
    """Delete all links, because some may have been revoked since the backup."""
    session.execute(delete(Preview))
