"""Managing users, for administrators."""

from __future__ import annotations

from typing import Any

from masthead.auth import passwords
from masthead.auth.schemas import describe_user
from masthead.auth.services import users
from masthead.http.paging import Page
from masthead.http.request import Request


def list_users(request: Request) -> Page:
    """All users, by name."""
    page = users.list_users(request.db, request.window)
    return Page([describe_user(user) for user in page.items], page.total)


def show_user(request: Request) -> Any:
    """One user."""
    return describe_user(users.get_user(request.db, request.matchdict["id"]))


def create_user(request: Request) -> Any:
    """A new user."""
    data = dict(request.data)
    hashed = passwords.hash_password(data.pop("password"))
    return describe_user(users.create_user(request.db, data, hashed, request.identity.id))


def update_user(request: Request) -> Any:
    """Change what is sent of a user."""
    caller, user_id = request.identity, request.matchdict["id"]
    data = dict(request.data)
    password = data.pop("password", None)
    new = None
    if password is not None:
        kept_token = caller.token if caller.id == user_id else None
        new = users.HashedPassword(passwords.hash_password(password), kept_token)
    return describe_user(users.update_user(request.db, user_id, data, caller.id, new))


def remove_user(request: Request) -> Any:
    """Delete a user, or disable one whom anything refers to."""
    users.remove_user(request.db, request.matchdict["id"], request.identity.id)
    return {"success": True}
