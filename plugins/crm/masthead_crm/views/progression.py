"""The endpoints of a contact's progression."""

from __future__ import annotations

from typing import Any

from masthead import MOST_ROWS, ListOf, Object, Page, Request, endpoint, lock_row
from masthead_crm import schemas
from masthead_crm.models import Contact
from masthead_crm.resource import CONTACTS
from masthead_crm.services import progression


@endpoint(
    "GET",
    "/api/staff/contacts/{id}/progression",
    name="staff.contacts.progression.list",
    permission=CONTACTS.read_permission,
    returns=ListOf(Object(schemas.ENTRY)),
    page=MOST_ROWS,
)
def list_entries(request: Request) -> Page:
    """List the progression entries of a contact, newest first."""
    return progression.list_entries(request.db, request.matchdict["id"], request.window)


@endpoint(
    "POST",
    "/api/staff/contacts/{id}/progression",
    name="staff.contacts.progression.add",
    permission=CONTACTS.write_permission,
    body=schemas.ENTRY_BODY,
    returns=schemas.ENTRY,
)
def add_entry(request: Request) -> dict[str, Any]:
    """Add a progression entry and set the contact's stage."""
    contact = lock_row(request.db, Contact, request.matchdict["id"])
    return progression.add_entry(request.db, contact, request.data, request.identity)
