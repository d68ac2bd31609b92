"""The management of users by administrators."""

from __future__ import annotations

from typing import Any

from masthead.auth import passwords, schemas
from masthead.auth.models import User
from masthead.auth.schemas import describe_user
from masthead.auth.services import users
from masthead.http.endpoints import endpoint
from masthead.http.paging import MOST_ROWS, Page
from masthead.http.permissions import ADMIN
from masthead.http.request import Request
from masthead.http.revisions import tag_response
from masthead.schemas.schema import SUCCESS, ListOf, Object


@endpoint(
    "GET",
    "/api/staff/users",
    name="auth.list_users",
    permission=ADMIN,
    returns=ListOf(Object(schemas.USER)),
    page=MOST_ROWS,
)
def list_users(request: Request) -> Page:
    """List the users by name."""
    page = users.list_users(request.db, request.window)
    return Page([describe_user(user) for user in page.items], page.total)


@endpoint(
    "POST",
    "/api/staff/users",
    name="auth.create_user",
    permission=ADMIN,
    needs_login=True,
    body=schemas.NEW_USER,
    returns=schemas.USER,
    pool="passwords",
)
def create_user(request: Request) -> Any:
    """Create a user."""
    data = dict(request.data)
    hashed = passwords.hash_password(data.pop("password"))
    user = users.create_user(request.db, data, hashed, request.identity.id)
    return _described(request, user)


@endpoint(
    "GET",
    "/api/staff/users/{id}",
    name="auth.show_user",
    permission=ADMIN,
    returns=schemas.USER,
)
def show_user(request: Request) -> Any:
    """Show a user."""
    return _described(request, users.get_user(request.db, request.matchdict["id"]))


@endpoint(
    "PUT",
    "/api/staff/users/{id}",
    name="auth.update_user",
    permission=ADMIN,
    needs_login=True,
    body=schemas.USER_CHANGE,
    returns=schemas.USER,
    pool="passwords",
)
def update_user(request: Request) -> Any:
    """Change a user."""
    caller, user_id = request.identity, request.matchdict["id"]
    data = dict(request.data)
    password = data.pop("password", None)
    new = None
    if password is not None:
        kept_token = caller.token if caller.id == user_id else None
        new = users.HashedPassword(passwords.hash_password(password), kept_token)
    user = users.update_user(
        request.db, user_id, data, caller.id, new, precondition=request.precondition
    )
    return _described(request, user)


@endpoint(
    "DELETE",
    "/api/staff/users/{id}",
    name="auth.remove_user",
    permission=ADMIN,
    needs_login=True,
    returns=SUCCESS,
)
def remove_user(request: Request) -> Any:
    """Delete a user; disable the user instead if any record refers to it."""
    user_id = request.matchdict["id"]
    users.remove_user(request.db, user_id, request.identity.id, request.precondition)
    return {"success": True}


def _described(request: Request, user: User) -> dict[str, Any]:
    """Return a user by wire name, with its revision as the ETag of the answer."""
    tag_response(request, user.revision)
    return describe_user(user)
