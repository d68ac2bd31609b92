"""Logging in and out, the token's user, and changing one's password."""

from __future__ import annotations

from typing import Any

from pyramid.response import Response

from masthead.auth import passwords
from masthead.auth.grants import read_grants
from masthead.auth.models import User
from masthead.auth.schemas import describe_user
from masthead.auth.services import logins
from masthead.auth.services.users import HashedPassword, get_user, update_user
from masthead.db import fold
from masthead.errors import Unauthenticated
from masthead.http.request import Request
from masthead.http.wire import error_response
from masthead.instance import Instance


def log_in(request: Request) -> Any:
    """A token for who knows the password."""
    instance: Instance = request.instance
    name, password = request.data["username"], request.data["password"]
    # Read beside the request's transaction: hashing must not hold SQLite's one write lock.
    with instance.database.session(read_only=True) as session:
        most = instance.settings[logins.THROTTLE]
        logins.check_throttle(session, name, request.remote_addr or "", most)
        user = logins.find_user(session, name)
    if not logins.check_password(user, password) or user is None:
        # An answer, not an exception: what is written of the failure has to be committed.
        _note_failure(request, name, user)
        return error_response(401, "Invalid credentials")
    if passwords.needs_sealing(user.password):
        logins.hash_stored(request.db, user, passwords.hash_password(password))
    token = request.registry["masthead.tokens"].issue(user.id, user.username, user.generation)
    return {"token": token, "user": _describe(instance, user)}


def check_token(request: Request) -> Any:
    """The token's user, read afresh."""
    user = get_user(request.db, request.identity.id)
    return {"user": describe_user(user, request.identity.permissions)}


def log_out(request: Request) -> Any:  # noqa: ARG001 - every view takes the request
    """Nothing to do: the client discards its token."""
    return {"success": True}


def change_own_password(request: Request) -> Any:
    """Replace the password; of all tokens only the one of this request stays valid."""
    current, new = request.data["currentPassword"], request.data["newPassword"]
    password = verify_current(request, current, new)
    if password is None:
        return refuse_current()
    update_user(request.db, request.identity.id, {}, request.identity.id, password)
    return {"success": True}


def verify_current(request: Request, current: str, new: str) -> HashedPassword | None:
    """What replaces the caller's password; None where ``current`` isn't theirs, which is noted.

    Whoever has somebody's token shall guess as slowly as who logs in, and be seen as well. What is
    written of it has to be committed, so answer :func:`refuse_current` then, and raise nothing.

    :raises TooMany: after too many failures.
    """
    caller, instance = request.identity, request.instance
    # Read beside the request's transaction: hashing must not hold SQLite's one write lock.
    with instance.database.session(read_only=True) as session:
        user = get_user(session, caller.id)
        most = instance.settings[logins.THROTTLE]
        logins.check_throttle(session, user.username, request.remote_addr or "", most)
    if not passwords.verify(user.password, current):
        _note_failure(request, user.username, user)
        return None
    return HashedPassword(passwords.hash_password(new), caller.token, user.generation)


def refuse_current() -> Response:
    """The answer to who doesn't know their password."""
    return error_response(400, "Current password is incorrect")


def _note_failure(request: Request, name: str, user: User | None) -> None:
    fingerprint = request.registry["masthead.tokens"].fingerprint(fold(name))
    logins.record_failure(request.db, user, fingerprint)
    if request.instance.settings[logins.THROTTLE]:
        logins.count_failure(request.db, name, request.remote_addr or "")


def _describe(instance: Instance, user: User) -> dict[str, Any]:
    grants = read_grants(instance, user.id)
    if grants is None:
        raise Unauthenticated("Invalid credentials")
    return describe_user(user, grants.permissions)
