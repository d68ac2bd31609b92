"""Managing roles and their permissions."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session, selectinload

from masthead.audit.services import record
from masthead.auth.models import Role, RolePermission, user_roles
from masthead.auth.services.admins import keeping_an_admin
from masthead.db.folding import fold_key
from masthead.db.once import OnceMarker
from masthead.errors import NotFound, Problem, ProblemCode, Refused, wrong_field
from masthead.http.paging import Page, Window
from masthead.http.revisions import Precondition
from masthead.schemas.field_types import TITLE

PERMISSION = "permission"
"""The kind of the :class:`OnceMarker` rows for permissions."""


def list_roles(session: Session, window: Window) -> Page:
    """Return a page of the roles, by name."""
    statement = select(Role).options(selectinload(Role.grants)).order_by(Role.sort_key, Role.id)
    total = session.scalar(select(func.count()).select_from(Role)) or 0
    return Page(session.scalars(statement.limit(window.limit).offset(window.offset)).all(), total)


def get_role(session: Session, role_id: int) -> Role:
    """Return a role by id.

    :raises NotFound: where there is no such role.
    """
    role = session.get(Role, role_id, options=[selectinload(Role.grants)])
    if role is None:
        raise NotFound("Role not found")
    return role


def create_role(
    session: Session, data: Mapping[str, Any], declared: Collection[str], actor: int | None
) -> Role:
    """Create a role.

    :param data: ``name``, and optionally ``description`` and ``permissions`` (names).
    :param declared: names of the permissions that enabled plugins declare.
    :param actor: the acting user's id; None for the command line.
    :raises Invalid: for a taken name or an unknown permission.
    """
    with keeping_an_admin(session):
        role = Role(built_in=False)
        _apply(session, role, data, declared)
        session.add(role)
        session.flush()
    _record_change(session, "role.create", role, actor)
    return role


def update_role(
    session: Session,
    role_id: int,
    data: Mapping[str, Any],
    declared: Collection[str],
    actor: int,
    precondition: Precondition,
) -> Role:
    """Change the fields of a role that are given; see :func:`create_role`.

    Permissions that no enabled plugin declares stay unchanged, because they were not shown.

    :raises NotFound: where there is no such role.
    :raises Refused: for renaming a built-in role, or where no administrator would be left.
    """
    with keeping_an_admin(session):
        role = get_role(session, role_id)
        precondition.check(role.revision)
        if role.built_in and data.get("name", role.name) != role.name:
            message = "A built-in role can't be renamed"
            raise Refused(message, Problem("name", ProblemCode.NOT_ALLOWED, message))
        _apply(session, role, data, declared)
        if session.is_modified(role):
            role.revision += 1
    _record_change(session, "role.update", role, actor)
    return role


def delete_role(session: Session, role_id: int, actor: int, precondition: Precondition) -> None:
    """Delete a role and its rows of the approval configuration.

    :raises NotFound: where there is no such role.
    :raises Refused: for a built-in role and a role that users hold.
    """
    with keeping_an_admin(session):
        role = get_role(session, role_id)
        precondition.check(role.revision)
        if role.built_in:
            raise Refused("A built-in role can't be deleted")
        holders = select(func.count()).where(user_roles.c.role_id == role.id)
        held = session.scalar(holders) or 0
        if held:
            raise Refused(f"The role is held by {held} {'user' if held == 1 else 'users'}")
        _record_change(session, "role.delete", role, actor)
        session.delete(role)


def _apply(
    session: Session, role: Role, data: Mapping[str, Any], declared: Collection[str]
) -> None:
    if "name" in data:
        _set_name(session, role, data["name"])
    if "description" in data:
        role.description = data["description"]
    if "permissions" in data:
        hidden = {grant.permission for grant in role.grants} - set(declared)
        _check_known(session, data["permissions"], declared)
        _set_permissions(role, hidden | set(data["permissions"]))


def _set_name(session: Session, role: Role, name: str) -> None:
    key = fold_key(name, TITLE, "name")
    with session.no_autoflush:
        found = session.scalar(select(Role.id).where(Role.name_key == key))
    if found not in (None, role.id):
        raise wrong_field("name", ProblemCode.ALREADY_EXISTS, "Role already exists", named=False)
    role.name, role.name_key = name, key


def _check_known(session: Session, names: Sequence[str], declared: Collection[str]) -> None:
    """Refuse permissions that no plugin declares or has declared; it may be disabled now."""
    with session.no_autoflush:
        seen = session.scalars(select(OnceMarker.name).where(OnceMarker.kind == PERMISSION)).all()
    for name in names:
        if name not in declared and name not in seen:
            raise wrong_field(
                "permissions", ProblemCode.UNKNOWN_NAME, f"There is no permission {name}"
            )


def _set_permissions(role: Role, names: Collection[str]) -> None:
    kept = [grant for grant in role.grants if grant.permission in names]
    new = sorted(set(names) - {grant.permission for grant in kept})
    role.grants = [*kept, *(RolePermission(permission=name) for name in new)]


def _record_change(session: Session, action: str, role: Role, actor: int | None) -> None:
    permissions = sorted(grant.permission for grant in role.grants)
    record(session, action, actor, "role", role, name=role.name, permissions=permissions)
