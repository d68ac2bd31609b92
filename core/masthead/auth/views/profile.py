"""The caller's own profile."""

from __future__ import annotations

from typing import Any

from masthead.auth import passwords, schemas
from masthead.auth.issuing import verify_own_password
from masthead.auth.models import User
from masthead.auth.schemas import describe_user
from masthead.auth.services.users import HashedPassword, get_user, update_user
from masthead.db import fold
from masthead.errors import ProblemCode, wrong_field
from masthead.http.endpoints import endpoint
from masthead.http.permissions import SIGNED_IN
from masthead.http.request import Request
from masthead.http.revisions import tag_response
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
    user = get_user(request.db, request.identity.id)
    tag_response(request, user.revision)
    return describe_user(user)


@endpoint(
    "PUT",
    "/api/staff/profile",
    name="auth.update_profile",
    permission=SIGNED_IN,
    needs_login=True,
    body=schemas.PROFILE_CHANGE,
    returns=SUCCESS,
    refuses=frozenset({404, 429}),
    failure="Failed to update profile",
    pool="passwords",
)
def update_profile(request: Request) -> Any:
    """Change the caller's profile or password."""
    caller, data = request.identity, dict(request.data)
    password, current = data.pop("password", None), data.pop("currentPassword", None)
    guarded = _guarded_change(request, password, data.get("email"))
    if guarded and current is None:
        message = f"Current password is required to change {guarded}"
        raise wrong_field("currentPassword", ProblemCode.REQUIRED, message, named=False)
    verified = verify_own_password(request, current) if guarded else None
    new = _hash(password, caller.token) if password is not None else None
    tag_response(request, _update(request, data, new, verified).revision)
    return {"success": True}


def _update(
    request: Request, data: dict[str, Any], new: HashedPassword | None, verified: int | None
) -> User:
    """Change the caller, and return them; without a change nothing is recorded."""
    caller_id, precondition = request.identity.id, request.precondition
    if not data and new is None:
        user = get_user(request.db, caller_id)
        precondition.check(user.revision)
        return user
    return update_user(
        request.db, caller_id, data, caller_id, new, verified=verified, precondition=precondition
    )


def _guarded_change(request: Request, password: str | None, email: str | None) -> str:
    """Return the requested change for which a token isn't enough; blank if there is none.

    By a new address, a stolen token would become an account.
    """
    if password is not None:
        return "password"
    if email is None:
        return ""
    with request.instance.database.session(read_only=True) as session:
        stored = get_user(session, request.identity.id).email
    return "" if stored is not None and fold(stored) == fold(email) else "email"


def _hash(password: str, kept_token: str | None) -> HashedPassword:
    return HashedPassword(passwords.hash_password(password), kept_token)
