"""Users as the callers of commands."""

from __future__ import annotations

from masthead.auth.caller import Caller
from masthead.auth.grants import read_grants
from masthead.auth.services.users import get_user_named
from masthead.errors import NotFound
from masthead.instance import Instance


def caller_named(instance: Instance, username: str) -> Caller:
    """Return the user with this name as a caller with the user's permissions.

    :raises NotFound: for an unknown or disabled user.
    """
    with instance.database.session(read_only=True) as session:
        user_id = get_user_named(session, username).id
    grants = read_grants(instance, user_id)
    if grants is None:
        raise NotFound(f"The user {username} is disabled")
    return Caller(user_id, grants.username, grants.permissions, grants.approves)
