"""The endpoints that treat a contact as a person."""

from __future__ import annotations

from typing import Any

from masthead import NotFound, Request, endpoint
from masthead_crm import persons, schemas
from masthead_crm.models import Contact
from masthead_crm.resource import CONTACTS


@endpoint(
    "POST",
    "/api/staff/contacts/{id}/merge",
    name="staff.contacts.merge",
    permission=CONTACTS.write_permission,
    body=schemas.MERGE_BODY,
    returns=CONTACTS.answer(detail=True),
)
def merge(request: Request) -> dict[str, Any]:
    """Merge another contact into a contact and delete the other."""
    contact_id, other_id = request.matchdict["id"], request.data["otherId"]
    contact = persons.merge(request.db, contact_id, other_id, request.identity)
    return CONTACTS.describe(request.db, contact, request.identity)


@endpoint(
    "GET",
    "/api/staff/contacts/{id}/export",
    name="staff.contacts.export",
    permission=CONTACTS.read_permission,
    returns=schemas.PERSON,
)
def export_person(request: Request) -> dict[str, Any]:
    """Show the data on the person of a contact, from every plugin."""
    contact = request.db.get(Contact, request.matchdict["id"])
    if contact is None:
        raise NotFound
    return persons.export_person(request.db, contact, request.identity)
