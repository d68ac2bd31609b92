"""The items of resources that are about a person: read on request, deleted on erasure."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, delete, or_, select
from sqlalchemy.orm import Session

from masthead.auth.caller import Caller
from masthead.db import fold
from masthead.resources.callbacks import note_after_commit
from masthead.resources.declaration import Resource
from masthead.resources.deleted import forget_deleted
from masthead.resources.noted_changes import note_resource_items
from masthead.resources.person_addresses import former_items
from masthead.resources.person_data import PersonData


def read_person_items(
    session: Session, resource: Resource, address: str, caller: Caller | None
) -> PersonData:
    """Return the items that name an address or had it before, the oldest first.

    :param resource: a resource with a ``person``.
    """
    model, shown = resource.model, resource.answer(detail=True)
    named = select(model).where(_names(session, resource, address)).order_by(model.id)
    items = [
        shown.dump(resource.describe(session, item, caller)) for item in session.scalars(named)
    ]
    return PersonData(resource.name, resource.read_permission, items)


def delete_person_items(session: Session, resource: Resource, address: str) -> None:
    """Delete the items that name an address or had it before.

    :param resource: a resource with a ``person``.
    """
    model = resource.model
    named = _names(session, resource, address)
    items = session.scalars(select(model).where(named).with_for_update()).all()
    ids = [item.id for item in items]
    note_resource_items(session, items)
    forget_deleted(session, resource, ids)
    session.execute(delete(model).where(named))
    if ids:
        resource.deleted(session, ids)
        note_after_commit(session, resource, ids)


def _names(session: Session, resource: Resource, address: str) -> ColumnElement[bool]:
    model: Any = resource.model
    if resource.person_key:
        names: ColumnElement[bool] = getattr(model, resource.person_key) == fold(address)
    else:
        names = resource.columns[resource.person] == address
    former = former_items(session, resource, address) if resource.keeps_addresses else []
    return or_(names, model.id.in_(former)) if former else names
