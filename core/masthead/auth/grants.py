"""A user's permissions, read from the database in one statement."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, CompoundSelect, bindparam, literal, null, select, union_all
from sqlalchemy.orm import Session

from masthead.auth.approvers import Approver
from masthead.auth.models import RolePermission, User, user_roles
from masthead.http.permissions import ADMIN
from masthead.instance import Instance, instance_of


@dataclass(frozen=True)
class Grants:
    """An enabled user and their permissions, as far as enabled plugins declare them."""

    username: str
    generation: int
    kept_token: str | None
    permissions: frozenset[str]
    approves: frozenset[str]


def _statement(is_wanted: Callable[[Any], ColumnElement[bool]]) -> CompoundSelect[Any]:
    """Return the statement that reads users and their grants.

    :param is_wanted: returns the condition on the id of a user.
    """
    held = user_roles.c
    return union_all(
        select(
            literal("user").label("kind"),
            User.id.label("user_id"),
            User.username,
            User.generation,
            User.kept_token,
        ).where(is_wanted(User.id), User.disabled.is_(False)),
        select(literal("permission"), held.user_id, RolePermission.permission, null(), null())
        .join(user_roles, held.role_id == RolePermission.role_id)
        .where(is_wanted(held.user_id)),
        select(literal("approves"), held.user_id, Approver.content_type, null(), null())
        .join(user_roles, held.role_id == Approver.role_id)
        .where(is_wanted(held.user_id)),
    )


_USER = bindparam("user_id", type_=User.id.type)
# Prebuilt, because it runs in every request that carries a token.
_OF_ONE = _statement(lambda user_id: user_id == _USER)
_USERS = bindparam("user_ids", type_=User.id.type, expanding=True)
_OF_MANY = _statement(lambda user_id: user_id.in_(_USERS))


def read_grants(instance: Instance, user_id: int) -> Grants | None:
    """Return a user's current grants; None where the user is missing or disabled.

    The statement runs outside the request's transaction. ``admin`` implies every declared
    permission, and approval power for a content type implies reading it. Permissions that no
    enabled plugin declares are left out.
    """
    with instance.database.read() as connection:
        rows = connection.execute(_OF_ONE, {"user_id": user_id}).all()
    return _grants(instance, rows)


def read_grants_in(session: Session, user_id: int) -> Grants | None:
    """Return the same within a transaction, which may have changed the user."""
    session.flush()
    rows = session.connection().execute(_OF_ONE, {"user_id": user_id}).all()
    return _grants(instance_of(session), rows)


def read_grants_of(instance: Instance, user_ids: Collection[int]) -> dict[int, Grants]:
    """Return the current grants of users by id, without missing and disabled ones."""
    with instance.database.read() as connection:
        rows = connection.execute(_OF_MANY, {"user_ids": list(user_ids)}).all()
    of_users = defaultdict[int, list[Any]](list)
    for row in rows:
        of_users[row.user_id].append(row)
    found = {user_id: _grants(instance, own) for user_id, own in of_users.items()}
    return {user_id: grants for user_id, grants in found.items() if grants is not None}


def _grants(instance: Instance, rows: Sequence[Any]) -> Grants | None:
    found: dict[str, set[str]] = defaultdict(set)
    for kind, _, name, _, _ in rows:
        found[kind].add(name)
    user = next((row for row in rows if row.kind == "user"), None)
    if user is None:
        return None
    approves = found["approves"] & instance.content_types.keys()
    reads = {instance.content_types[name].read_permission for name in approves}
    permissions = (found["permission"] | reads) & instance.permissions.keys()
    if ADMIN in permissions:
        permissions = set(instance.permissions)
    return Grants(
        username=user.username,
        generation=user.generation,
        kept_token=user.kept_token,
        permissions=frozenset(permissions),
        approves=frozenset(approves),
    )
