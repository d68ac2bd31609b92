"""The items of resources that are about a person: read on request, deleted on erasure."""

from __future__ import annotations

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from masthead.auth.caller import Caller
from masthead.resources.declaration import Resource
from masthead.resources.external_ids import forget_ids
from masthead.resources.person_data import PersonData
from masthead.search.services import forget_items


def read_person_items(
    session: Session, resource: Resource, address: str, caller: Caller | None
) -> PersonData:
    """Return the items that name an address, the oldest first.

    :param resource: a resource with a ``person``.
    """
    model, shown = resource.model, resource.answer(detail=True)
    named = select(model).where(resource.columns[resource.person] == address).order_by(model.id)
    items = [
        shown.dump(resource.describe(session, item, caller)) for item in session.scalars(named)
    ]
    return PersonData(resource.name, resource.read_permission, items)


def delete_person_items(session: Session, resource: Resource, address: str) -> None:
    """Delete the items that name an address.

    :param resource: a resource with a ``person``.
    """
    model = resource.model
    named = resource.columns[resource.person] == address
    ids = session.scalars(select(model.id).where(named).with_for_update()).all()
    if resource.search_fields:
        forget_items(session, resource, ids)
    if not resource.named:
        forget_ids(session, resource.name, ids)
    session.execute(delete(model).where(named))
