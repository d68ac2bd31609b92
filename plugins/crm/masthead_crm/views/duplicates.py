"""The endpoints of contacts that may be one person."""

from __future__ import annotations

from typing import Any

from masthead import SUCCESS, ListOf, Object, Page, Request, endpoint
from masthead_crm import schemas
from masthead_crm.resource import CONTACTS
from masthead_crm.services import duplicates

PAGE = 50


@endpoint(
    "GET",
    "/api/staff/contacts/duplicates",
    name="staff.contacts.duplicates.list",
    permission=CONTACTS.read_permission,
    query=schemas.DUPLICATES_QUERY,
    returns=ListOf(Object(schemas.DUPLICATES)),
    page=PAGE,
)
def list_duplicates(request: Request) -> Page:
    """List groups of contacts that may be one person."""
    page = duplicates.list_duplicates(request.db, request.window, request.query.get("reason"))
    groups = [
        {**group, "contacts": [CONTACTS.values(each, detail=False) for each in group["contacts"]]}
        for group in page.items
    ]
    return Page(groups, page.total)


@endpoint(
    "POST",
    "/api/staff/contacts/duplicates/dismiss",
    name="staff.contacts.duplicates.dismiss",
    permission=CONTACTS.write_permission,
    body=schemas.DISMISS_BODY,
    returns=SUCCESS,
)
def dismiss(request: Request) -> dict[str, Any]:
    """Record that contacts are different persons, or withdraw that."""
    data = request.data
    duplicates.set_distinct(request.db, data["ids"], distinct=data.get("dismissed", True))
    return {"success": True}
