"""How resources get their permissions and routes, whichever plugin declares them."""

from __future__ import annotations

from collections.abc import Mapping

from masthead.auth.permissions import Permission, area_permissions
from masthead.hookspecs import hookimpl
from masthead.instance import Instance
from masthead.resources.declaration import Resource
from masthead.resources.views import ResourceViews
from masthead.routes import Endpoint


@hookimpl
def masthead_permissions(resources: Mapping[str, Resource]) -> list[Permission]:
    """Reading and writing the area of each resource."""
    return [p for it in resources.values() for p in area_permissions(it.area)]


@hookimpl
def masthead_routes(instance: Instance) -> list[Endpoint]:
    """The staff routes of each resource."""
    return [e for it in instance.resources.values() for e in ResourceViews(it).endpoints()]
