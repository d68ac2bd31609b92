"""A user's permissions, read from the database in one statement."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from sqlalchemy import CompoundSelect, bindparam, literal, null, select, union_all

from masthead.auth.approvers import Approver
from masthead.auth.models import RolePermission, User, user_roles
from masthead.http.permissions import ADMIN
from masthead.instance import Instance


@dataclass(frozen=True)
class Grants:
    """An enabled user and their permissions, as far as enabled plugins declare them."""

    username: str
    generation: int
    kept_token: str | None
    permissions: frozenset[str]
    approves: frozenset[str]


_USER = bindparam("user_id", type_=User.id.type)
# Prebuilt, because it runs in every request that carries a token.
_STATEMENT: CompoundSelect[Any] = union_all(
    select(literal("user").label("kind"), User.username, User.generation, User.kept_token).where(
        User.id == _USER, User.disabled.is_(False)
    ),
    select(literal("permission"), RolePermission.permission, null(), null())
    .join(user_roles, user_roles.c.role_id == RolePermission.role_id)
    .where(user_roles.c.user_id == _USER),
    select(literal("approves"), Approver.content_type, null(), null())
    .join(user_roles, user_roles.c.role_id == Approver.role_id)
    .where(user_roles.c.user_id == _USER),
)


def read_grants(instance: Instance, user_id: int) -> Grants | None:
    """Return a user's current grants; None where the user is missing or disabled.

    The statement runs outside the request's transaction. ``admin`` implies every declared
    permission, and approval power for a content type implies reading it. Permissions that no
    enabled plugin declares are left out.
    """
    with instance.database.read() as connection:
        rows = connection.execute(_STATEMENT, {"user_id": user_id}).all()
    found: dict[str, set[str]] = defaultdict(set)
    for kind, name, _, _ in rows:
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
