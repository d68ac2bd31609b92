"""The invariant that an enabled administrator remains."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead.auth.models import RolePermission, User, user_roles
from masthead.db.locking import lock
from masthead.errors import Refused
from masthead.http.permissions import ADMIN


@contextmanager
def keeping_an_admin(session: Session) -> Iterator[None]:
    """Refuse the block's changes of users and roles where they leave no enabled administrator.

    The blocks of different transactions run one after the other. Two administrators thus can't
    demote each other at once, and users and roles don't change while a block runs.
    """
    lock(session, "users and roles")
    had_one = _has_admin(session)
    yield
    session.flush()
    if had_one and not _has_admin(session):
        raise Refused("The last administrator can't be removed, disabled or stripped")


def _has_admin(session: Session) -> bool:
    admins = (
        select(User.id)
        .join(user_roles, user_roles.c.user_id == User.id)
        .join(RolePermission, RolePermission.role_id == user_roles.c.role_id)
        .where(RolePermission.permission == ADMIN, User.disabled.is_(False))
        .limit(1)
    )
    return session.scalar(admins) is not None
