"""Forgetting one's password, and choosing another."""

from __future__ import annotations

from typing import Any

from masthead import Request, hash_password
from masthead_email.accounts import services

TOLD = "If we know you and your e-mail address, you will find a link in your mailbox."


def forgot_password(request: Request) -> Any:
    """Mail a link; what is answered doesn't tell whether there is such a user."""
    services.send_link(request.db, request.data["username"])
    return {"success": True, "message": TOLD}


def reset_password(request: Request) -> Any:
    """Replace the password of whom a link was mailed to."""
    reset = services.check_token(request.instance, request.data["token"])
    # Before the transaction's first statement: hashing is slow, and SQLite has one write lock.
    hashed = hash_password(request.data["newPassword"])
    services.reset_password(request.db, reset, hashed)
    return {"success": True}
