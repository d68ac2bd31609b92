"""Account recovery by e-mail, if an enabled plugin delivers e-mails."""

from __future__ import annotations

from typing import Any

from masthead.auth import passwords, schemas
from masthead.auth.services import recovery
from masthead.http.endpoints import endpoint
from masthead.http.permissions import PUBLIC
from masthead.http.request import Request
from masthead.schemas.schema import SUCCESS

ANSWER = "If we know you and your e-mail address, you will find a link in your mailbox."


@endpoint(
    "POST",
    "/api/auth/forgot-password",
    name="auth.forgot_password",
    permission=PUBLIC,
    body=schemas.RECOVERY,
    returns=schemas.RECOVERY_STARTED,
)
def forgot_password(request: Request) -> Any:
    """Mail a link to a user who forgot their password.

    Neither the answer nor its duration reveals whether the user exists.
    """
    recovery.request_link(request.db, request.data["username"])
    return {"success": True, "message": ANSWER}


@endpoint(
    "POST",
    "/api/auth/reset-password",
    name="auth.reset_password",
    permission=PUBLIC,
    body=schemas.PASSWORD_RESET,
    returns=SUCCESS,
    pool="passwords",
)
def reset_password(request: Request) -> Any:
    """Set a new password with a mailed token."""
    reset = recovery.check_token(request.instance, request.data["token"])
    # Before the transaction's first statement: hashing is slow, and SQLite has one write lock.
    hashed = passwords.hash_password(request.data["newPassword"])
    recovery.reset_password(request.db, reset, hashed)
    return {"success": True}
