"""Users, roles and what roles allow."""

from __future__ import annotations

import secrets
from datetime import datetime

from sqlalchemy import Column, ForeignKey, Table
from sqlalchemy.orm import Mapped, mapped_column, relationship

from masthead.db import KEY, UTCDateTime, utcnow
from masthead.db.base import Base
from masthead.db.content_version import PRIVATE
from masthead.db.exportable import NOT_EXPORTED, REPLACED_ON_IMPORT, import_default

user_roles = Table(
    "core_user_role",
    Base.metadata,
    Column("user_id", ForeignKey("core_user.id", ondelete="CASCADE"), primary_key=True),
    Column("role_id", ForeignKey("core_role.id", ondelete="CASCADE"), primary_key=True, index=True),
)


def first_generation() -> int:
    """Where the generations of a new user begin, which nobody else's do.

    A database that is restored or made anew gives ids out again, and with them the tokens that
    name them: by their generation they are worth nothing.
    """
    return secrets.randbelow(2**31) + 1


class User(Base):
    """Somebody who can log in."""

    __tablename__ = "core_user"
    # SQLite gives a deleted row's id to the next one, and with it what is known of the id.
    __table_args__ = {"sqlite_autoincrement": True}

    id: Mapped[int] = mapped_column(primary_key=True)
    username: Mapped[str]
    username_key: Mapped[str] = mapped_column(KEY, unique=True)
    email: Mapped[str | None]
    email_key: Mapped[str | None] = mapped_column(KEY, unique=True)
    display_name: Mapped[str | None]
    password: Mapped[str] = mapped_column(info=import_default(""))
    """``argon2id(sha256(password))``, or the bare SHA-256 digest of an imported user."""
    generation: Mapped[int] = mapped_column(default=first_generation)
    """Raised by a change of password; a token of an older generation is worth nothing."""
    kept_token: Mapped[str | None] = mapped_column(info=import_default(None))
    """``jti`` of the token that changed the password: the one older token that stays valid."""
    disabled: Mapped[bool] = mapped_column(default=False, info=import_default(True))
    created_at: Mapped[datetime] = mapped_column(UTCDateTime(), default=utcnow)
    updated_at: Mapped[datetime] = mapped_column(UTCDateTime(), default=utcnow)

    roles: Mapped[list[Role]] = relationship(
        lambda: Role, secondary=user_roles, order_by=lambda: Role.name_key
    )


class Role(Base):
    """A set of permissions under a name."""

    __tablename__ = "core_role"
    __table_args__ = {"sqlite_autoincrement": True, "info": REPLACED_ON_IMPORT}

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    name_key: Mapped[str] = mapped_column(KEY, unique=True)
    description: Mapped[str | None]
    built_in: Mapped[bool] = mapped_column(default=False)

    grants: Mapped[list[RolePermission]] = relationship(
        lambda: RolePermission,
        cascade="all, delete-orphan",
        order_by=lambda: RolePermission.permission,
    )


class RolePermission(Base):
    """A permission that a role has, also one of a plugin that isn't enabled now."""

    __tablename__ = "core_role_permission"
    __table_args__ = {"info": REPLACED_ON_IMPORT}

    role_id: Mapped[int] = mapped_column(ForeignKey(Role.id, ondelete="CASCADE"), primary_key=True)
    permission: Mapped[str] = mapped_column(KEY, primary_key=True)


class LoginFailure(Base):
    """How often a login failed for one name from one address; kept where throttling is on."""

    __tablename__ = "core_login_failure"
    __table_args__ = {"info": PRIVATE | NOT_EXPORTED}

    key: Mapped[str] = mapped_column(primary_key=True)
    """Digest of the name and the address."""
    since: Mapped[datetime] = mapped_column(UTCDateTime(), index=True)
    """When the first of them happened."""
    count: Mapped[int]
