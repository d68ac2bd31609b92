"""A contact as a person."""

from __future__ import annotations

from typing import Any

from masthead import NotFound, Request
from masthead_crm.models import Contact
from masthead_crm.resource import CONTACTS
from masthead_crm.services import persons


def merge(request: Request) -> Any:
    """Make one contact of two."""
    contact_id, other_id = request.matchdict["id"], request.data["otherId"]
    contact = persons.merge(request.db, contact_id, other_id, request.identity)
    return CONTACTS.describe(request.db, contact)


def export_person(request: Request) -> Any:
    """All that is held on the person."""
    contact = request.db.get(Contact, request.matchdict["id"])
    if contact is None:
        raise NotFound
    return persons.export_person(request.db, contact)
