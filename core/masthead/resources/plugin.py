"""The permissions, endpoints and personal data of all declared resources."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy.orm import Session

from masthead.auth.caller import Caller
from masthead.hookspecs import hookimpl
from masthead.http.endpoints import Endpoint
from masthead.http.permissions import Permission, area_permissions
from masthead.instance import Instance, instance_of
from masthead.resources.declaration import Resource
from masthead.resources.person_data import PersonData
from masthead.resources.person_items import delete_person_items, read_person_items
from masthead.resources.public_views import PublicViews
from masthead.resources.staff_views import StaffViews


@hookimpl
def masthead_permissions(resources: Mapping[str, Resource]) -> list[Permission]:
    """Return the permissions to read and to write each resource's area."""
    return [p for it in resources.values() for p in area_permissions(it.area)]


@hookimpl
def masthead_routes(instance: Instance) -> list[Endpoint]:
    """Return the staff and public endpoints of each resource."""
    resources = instance.resources.values()
    public = [
        endpoint
        for it in resources
        if it.public
        for endpoint in PublicViews(it, it.public, instance).endpoints()
    ]
    return public + [e for it in resources for e in StaffViews(it, instance).endpoints()]


@hookimpl
def masthead_person_data(session: Session, address: str, caller: Caller | None) -> list[PersonData]:
    """Return the items that name the person's address."""
    return [read_person_items(session, it, address, caller) for it in _about_persons(session)]


@hookimpl
def masthead_forget_person(session: Session, address: str) -> None:
    """Delete the items that name the person's address."""
    for resource in _about_persons(session):
        delete_person_items(session, resource, address)


def _about_persons(session: Session) -> list[Resource]:
    return [it for it in instance_of(session).resources.values() if it.person]
