"""Users as callers: of commands, and of requests that plugins identify."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from masthead.auth.caller import Caller
from masthead.auth.grants import read_grants
from masthead.auth.policy import client_of
from masthead.auth.services.users import get_user_named
from masthead.errors import NotFound
from masthead.http.permissions import ADMIN
from masthead.http.request import Request
from masthead.instance import Instance


def caller_named(instance: Instance, username: str) -> Caller:
    """Return the user with this name as a caller with the user's permissions.

    :raises NotFound: for an unknown or disabled user.
    """
    with instance.database.session(read_only=True) as session:
        user_id = get_user_named(session, username).id
    caller = caller_with_id(instance, user_id)
    if caller is None:
        raise NotFound(f"The user {username} is disabled")
    return caller


def caller_with_id(instance: Instance, user_id: int) -> Caller | None:
    """Return the user with this id as a caller; None for a missing or disabled user."""
    grants = read_grants(instance, user_id)
    if grants is None:
        return None
    return Caller(user_id, grants.username, grants.permissions, grants.approves)


def caller_of_user(
    request: Request,
    user_id: int,
    *,
    permissions: Collection[str] | None = None,
    approves: Collection[str] = (),
    credential: str | None = None,
    token: str | None = None,
) -> Caller | None:
    """Return a user as the caller of a request; None for a missing or disabled user.

    The user's present powers are read in one statement, outside the request's transaction.

    :param permissions: restricts the caller to these permissions, where ``admin`` includes all,
        and to ``approves``; None restricts nothing.
    :param approves: the names of the content types that the restricted caller may approve, if the
        user may.
    :param credential: the name of the credential if a program uses it, such as an API token. Such
        a caller can't change passwords, roles or credentials.
    :param token: an id of the credential.
    """
    grants = read_grants(request.instance, user_id)
    if grants is None:
        return None
    caller = Caller(
        user_id,
        grants.username,
        grants.permissions,
        grants.approves,
        token=token,
        client=credential or client_of(request),
        credential=credential,
    )
    if permissions is None:
        return caller
    return _restricted(request.instance, caller, frozenset(permissions), frozenset(approves))


def _restricted(
    instance: Instance, caller: Caller, permissions: frozenset[str], approves: frozenset[str]
) -> Caller:
    """Return the caller without other powers; approval power includes reading the type."""
    approved = caller.approves & approves
    if ADMIN in permissions & caller.permissions:
        return replace(caller, approves=approved)
    reads = {instance.content_types[name].read_permission for name in approved}
    return replace(
        caller, permissions=caller.permissions & (permissions | reads), approves=approved
    )
