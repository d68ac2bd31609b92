"""The endpoints of suppressed addresses."""

from __future__ import annotations

from typing import Any

from masthead import MOST_ROWS, SUCCESS, ListOf, NotFound, Object, Page, Request, endpoint
from masthead_email.permissions import ADDRESSES, WRITE
from masthead_email.suppressions import schemas, services

_PATH = "/api/staff/email/suppressions"


@endpoint(
    "GET",
    _PATH,
    name="staff.suppressions.list",
    permission=ADDRESSES,
    query=schemas.FILTERS,
    page=MOST_ROWS,
    returns=ListOf(Object(schemas.SUPPRESSED)),
)
def list_suppressions(request: Request) -> Page:
    """List the suppressed addresses, newest first."""
    return services.list_suppressions(request.db, request.window, request.query)


@endpoint(
    "POST",
    _PATH,
    name="staff.suppressions.create",
    permission=WRITE,
    also_needs=(ADDRESSES,),
    body=schemas.NEW,
    returns=schemas.SUPPRESSED,
)
def suppress(request: Request) -> dict[str, Any]:
    """Suppress an address, so that it receives no mail."""
    email, reason = request.data["email"], request.data.get("reason")
    return services.suppress_by_hand(request.db, email, reason, request.identity.id)


@endpoint(
    "DELETE",
    f"{_PATH}/{{email}}",
    name="staff.suppressions.delete",
    path_help={"email": "The address."},
    permission=WRITE,
    also_needs=(ADDRESSES,),
    returns=SUCCESS,
)
def release(request: Request) -> dict[str, bool]:
    """Release a suppressed address."""
    email = request.matchdict["email"].strip().lower()
    if not services.release_address(request.db, email, request.identity.id):
        raise NotFound("This address is not suppressed")
    return {"success": True}


@endpoint(
    "POST",
    f"{_PATH}/release",
    name="staff.suppressions.release",
    permission=WRITE,
    also_needs=(ADDRESSES,),
    body=schemas.RELEASE,
    returns=schemas.RELEASED,
)
def release_matching(request: Request) -> dict[str, Any]:
    """Release the suppressed addresses that match all of some filters."""
    number = services.release_matching(request.db, request.data, request.identity.id)
    return {"success": True, "released": number}
