"""The first start of an instance: secrets, built-in roles, first grants, first administrator."""

from __future__ import annotations

import os
import secrets
from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.orm import Session, selectinload

from masthead.auth import passwords
from masthead.auth.approvers import Approver
from masthead.auth.models import Role, RolePermission, User
from masthead.auth.services.roles import PERMISSION
from masthead.auth.services.users import create_user
from masthead.auth.tokens import SECRETS, read_secrets, secret_file
from masthead.db import fold
from masthead.db.locking import lock
from masthead.db.once import OnceMarker
from masthead.http.permissions import ADMIN
from masthead.instance import Instance

CONTENT_TYPE = "content type"
"""The kind of the :class:`OnceMarker` rows for content types."""
_BUILT_IN = {
    "admin": "May do everything, and approves what nobody else was made to approve.",
    "editor": "Writes content and manages everything that belongs to it.",
}


def make_secrets(instance: Instance) -> None:
    """Create the file with the secret where it is needed and missing; safe for two at once.

    :raises StartError: where the existing secret can't be used.
    """
    if instance.settings[SECRETS] or instance.database.dialect != "sqlite":
        return
    file = secret_file(instance)
    if not file.exists():
        _write_secret(file)
    read_secrets(instance)


def sync_grants(session: Session, instance: Instance) -> None:
    """Create the built-in roles, and grant each new permission and approval power once.

    A new permission goes to ``editor`` where its declaration says so, or to the roles with the
    permission that it is split from; approval power for a new content type goes to ``admin``.
    Later changes by administrators persist. Safe to call at every start.
    """
    lock(session, "grants")
    declared = instance.permissions
    admin, editor = (_built_in_role(session, name) for name in _BUILT_IN)
    new = [declared[name] for name in _first_seen(session, PERMISSION, set(declared))]
    for permission in new:
        if permission.name == ADMIN:
            _grant(admin, permission.name)
        elif permission.editor and not permission.split_from:
            _grant(editor, permission.name)
    session.flush()
    # After the others, which may be new as well and be what they are split from.
    for permission in new:
        for role in _holders(session, permission.split_from):
            _grant(role, permission.name)
    # An administrator may have added the row while the plugin was enabled but not yet set up.
    configured = session.scalars(
        select(Approver.content_type).where(Approver.role_id == admin.id)
    ).all()
    for name in _first_seen(session, CONTENT_TYPE, set(instance.content_types)):
        if name not in configured:
            session.add(Approver(content_type=name, role=admin))
    session.flush()


def first_admin(session: Session) -> tuple[str, str] | None:
    """Create the user ``admin`` where there is no user at all.

    :returns: the username and a random password, to be shown once; None where there are users.
    """
    lock(session, "first admin")
    if session.scalar(select(User.id).limit(1)) is not None:
        return None
    password = secrets.token_urlsafe(12)
    create_user(
        session, {"username": "admin", "roles": ["admin"]}, passwords.hash_password(password), None
    )
    return "admin", password


def _write_secret(file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    # Written under another name first, so that the file is never seen half written.
    draft = file.with_name(f"{file.name}.{secrets.token_hex(8)}")
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as stream:
            stream.write(secrets.token_hex(32) + "\n")
            stream.flush()
            os.fsync(descriptor)
        os.link(draft, file)
    except FileExistsError:
        pass  # another process was faster, and its secret counts
    finally:
        draft.unlink(missing_ok=True)


def _built_in_role(session: Session, name: str) -> Role:
    role = session.scalars(select(Role).where(Role.name_key == fold(name))).one_or_none()
    if role is None:
        role = Role(name=name, name_key=fold(name), description=_BUILT_IN[name], built_in=True)
        session.add(role)
        session.flush()
    return role


def _first_seen(session: Session, kind: str, names: set[str]) -> list[str]:
    known = session.scalars(select(OnceMarker.name).where(OnceMarker.kind == kind)).all()
    new = sorted(names.difference(known))
    session.add_all(OnceMarker(kind=kind, name=name) for name in new)
    return new


def _holders(session: Session, permission: str) -> Sequence[Role]:
    """Return the roles with a permission; none for a blank name."""
    granted = RolePermission.permission == permission
    holding = select(Role).where(Role.grants.any(granted)).order_by(Role.id)
    return session.scalars(holding.options(selectinload(Role.grants))).all()


def _grant(role: Role, permission: str) -> None:
    if permission not in {grant.permission for grant in role.grants}:
        role.grants.append(RolePermission(permission=permission))
