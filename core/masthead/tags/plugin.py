"""Tags as part of core: their permissions and endpoints."""

from __future__ import annotations

from masthead.hookspecs import hookimpl
from masthead.http.endpoints import Endpoint, endpoints_in
from masthead.http.permissions import Permission, area_permissions
from masthead.tags import views


@hookimpl
def masthead_permissions() -> list[Permission]:
    """Return the permissions to read and write tags."""
    return area_permissions("tags")


@hookimpl
def masthead_routes() -> list[Endpoint]:
    """Return the public list and the endpoints for staff."""
    return endpoints_in(views)
