"""One's own profile."""

from __future__ import annotations

from typing import Any

from masthead.auth.schemas import describe_user
from masthead.auth.services.users import get_user, update_user
from masthead.auth.views.login import refuse_current, verify_current
from masthead.errors import Invalid
from masthead.http.request import Request


def show_profile(request: Request) -> Any:
    """The caller's profile."""
    return describe_user(get_user(request.db, request.identity.id))


def update_profile(request: Request) -> Any:
    """Change what is sent of the caller's profile."""
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
