"""The caller's own profile."""

from __future__ import annotations

from typing import Any

from masthead.auth import schemas
from masthead.auth.schemas import describe_user
from masthead.auth.services.users import get_user, update_user
from masthead.auth.views.login import refuse_current, verify_current
from masthead.errors import Invalid
from masthead.http.endpoints import endpoint
from masthead.http.permissions import SIGNED_IN
from masthead.http.request import Request
from masthead.schemas.schema import SUCCESS


@endpoint(
    "GET",
    "/api/staff/profile",
    name="auth.show_profile",
    permission=SIGNED_IN,
    returns=schemas.PROFILE,
    refuses=frozenset({404}),
    failure="Failed to get profile",
)
def show_profile(request: Request) -> Any:
    """Show the caller's profile."""
    return describe_user(get_user(request.db, request.identity.id))


@endpoint(
    "PUT",
    "/api/staff/profile",
    name="auth.update_profile",
    permission=SIGNED_IN,
    body=schemas.PROFILE_CHANGE,
    returns=SUCCESS,
    refuses=frozenset({404, 429}),
    failure="Failed to update profile",
    pool="passwords",
)
def update_profile(request: Request) -> Any:
    """Change the caller's profile or password."""
    data = dict(request.data)
    password, current = data.pop("password", None), data.pop("currentPassword", None)
    if password is not None and current is None:
        raise Invalid("Current password is required to change password")
    new = verify_current(request, current, password) if password is not None else None
    if password is not None and new is None:
        return refuse_current()
    if data or new:
        update_user(request.db, request.identity.id, data, request.identity.id, new)
    return {"success": True}
