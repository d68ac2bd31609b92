"""How content types get their permissions and routes, whichever plugin declares them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy.orm import Session

from masthead.approval.declaration import Approvable
from masthead.content.contenttype import content_types_of
from masthead.content.listing import make_emptied, masthead_jobs
from masthead.content.public_views import PublicViews
from masthead.content.reindex_imported import masthead_imported
from masthead.content.staff_views import StaffViews
from masthead.content.unpublished import notify_unpublished
from masthead.hookspecs import hookimpl
from masthead.http.endpoints import Endpoint
from masthead.http.permissions import Permission, area_permissions
from masthead.instance import Instance
from masthead.schemas.field_types import EMBED_HOSTS
from masthead.settings import Setting

__all__ = [
    "masthead_committing",
    "masthead_imported",
    "masthead_jobs",
    "masthead_permissions",
    "masthead_routes",
    "masthead_settings",
]


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """What sanitised HTML may embed."""
    return [EMBED_HOSTS]


@hookimpl
def masthead_permissions(content_types: Mapping[str, Approvable]) -> list[Permission]:
    """Reading and writing the area of each content type."""
    return [p for kind in content_types.values() for p in area_permissions(kind.area)]


@hookimpl
def masthead_routes(instance: Instance) -> list[Endpoint]:
    """The staff and public routes of each content type."""
    database = instance.database
    return [
        endpoint
        for kind in content_types_of(instance)
        for views in (StaffViews(kind, database.dialect), PublicViews(kind, database))
        for endpoint in views.endpoints()
    ]


@hookimpl
def masthead_committing(session: Session) -> None:
    """Do once what many steps of a transaction ask for."""
    session.flush()
    notify_unpublished(session)
    make_emptied(session)
