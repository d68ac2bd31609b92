"""How resources get their permissions and routes, whichever plugin declares them."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy.orm import Session

from masthead.hookspecs import hookimpl
from masthead.http.endpoints import Endpoint
from masthead.http.permissions import Permission, area_permissions
from masthead.instance import Instance, instance_of
from masthead.resources.declaration import Resource
from masthead.resources.person_data import PersonData
from masthead.resources.person_items import delete_items, tell_items
from masthead.resources.views import ResourceViews


@hookimpl
def masthead_permissions(resources: Mapping[str, Resource]) -> list[Permission]:
    """Reading and writing the area of each resource."""
    return [p for it in resources.values() for p in area_permissions(it.area)]


@hookimpl
def masthead_routes(instance: Instance) -> list[Endpoint]:
    """The staff routes of each resource."""
    return [e for it in instance.resources.values() for e in ResourceViews(it).endpoints()]


@hookimpl
def masthead_person_data(session: Session, address: str) -> list[PersonData]:
    """The items that name who has an address."""
    return [tell_items(session, it, address) for it in _about_persons(session)]


@hookimpl
def masthead_forget_person(session: Session, address: str) -> None:
    """Delete them."""
    for resource in _about_persons(session):
        delete_items(session, resource, address)


def _about_persons(session: Session) -> list[Resource]:
    return [it for it in instance_of(session).resources.values() if it.person]
