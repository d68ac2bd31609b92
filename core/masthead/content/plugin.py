"""The permissions, endpoints, jobs and settings of all declared content types."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from sqlalchemy.orm import Session

from masthead.approval.declaration import Approvable
from masthead.content import redirects
from masthead.content.contenttype import content_types_of
from masthead.content.due_edits import make_due_edits_live
from masthead.content.list_json import generate_missing, regenerate_invalidated
from masthead.content.public_views import PublicViews
from masthead.content.reindexing import index_imported, index_noted, index_outdated
from masthead.content.search_view import search_endpoints
from masthead.content.staff_views import StaffViews
from masthead.content.unasked import ask_about_unasked
from masthead.content.unpublished import notify_unpublished
from masthead.hookspecs import hookimpl
from masthead.http.endpoints import Endpoint, endpoints_in
from masthead.http.permissions import Permission, area_permissions
from masthead.instance import Instance
from masthead.schemas.html_type import DATA_ATTRIBUTES, EMBED_HOSTS
from masthead.settings import Setting
from masthead.worker.jobs import Job


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Return the setting for the hosts that sanitised HTML may embed."""
    return [EMBED_HOSTS, DATA_ATTRIBUTES]


@hookimpl
def masthead_permissions(content_types: Mapping[str, Approvable]) -> list[Permission]:
    """Return the permissions to read and to write each content type's area."""
    return [p for it in content_types.values() for p in area_permissions(it.area)]


@hookimpl
def masthead_routes(instance: Instance) -> list[Endpoint]:
    """Return the endpoints of each content type, of the search in all, and of the redirects."""
    of_types = [
        endpoint
        for content_type in content_types_of(instance)
        for views in (
            StaffViews(content_type, instance),
            PublicViews(content_type, instance),
        )
        for endpoint in views.endpoints()
    ]
    return of_types + search_endpoints(instance) + endpoints_in(redirects)


@hookimpl
def masthead_jobs() -> list[Job]:
    """Return the jobs that complete list JSON and search index, and make due edits live."""
    return [
        Job("content.listings", timedelta(minutes=1), generate_missing),
        Job("content.search", timedelta(minutes=1), index_outdated),
        Job("content.due-edits", timedelta(seconds=30), make_due_edits_live),
    ]


@hookimpl
def masthead_imported(session: Session) -> None:
    """Index the imported items."""
    index_imported(session)


@hookimpl
def masthead_committing(session: Session) -> None:
    """Ask about publications, announce unpublished items, index and regenerate list JSON."""
    session.flush()
    ask_about_unasked(session)
    notify_unpublished(session)
    index_noted(session)
    regenerate_invalidated(session)
