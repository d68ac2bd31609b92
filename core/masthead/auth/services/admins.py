"""There is always somebody who can do everything."""

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
    """Refuse what the block does to users and roles where it leaves no enabled administrator.

    Blocks of several transactions run one after the other, so that two administrators can't
    demote each other at once, and what a block reads of users and roles stays true.
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
