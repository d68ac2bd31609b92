"""The endpoints of follow-ups."""

from __future__ import annotations

from typing import Any

from masthead import SUCCESS, Request, endpoint
from masthead_crm import schemas
from masthead_crm.resource import CONTACTS
from masthead_crm.services import follow_ups


@endpoint(
    "GET",
    "/api/staff/follow-up-dashboard",
    name="staff.follow-ups.dashboard",
    permission=CONTACTS.read_permission,
    returns=schemas.DASHBOARD,
)
def show_dashboard(request: Request) -> dict[str, Any]:
    """Show the pending, the overdue and the last completed follow-ups."""
    return follow_ups.dashboard(request.db)


@endpoint(
    "POST",
    "/api/staff/follow-ups/{id}/complete",
    name="staff.follow-ups.complete",
    permission=CONTACTS.write_permission,
    returns=SUCCESS,
    refuses=frozenset({400}),
)
def complete(request: Request) -> dict[str, Any]:
    """Complete a follow-up."""
    follow_ups.complete(request.db, request.matchdict["id"])
    return {"success": True}
