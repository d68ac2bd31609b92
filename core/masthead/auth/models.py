"""Users, roles, the permissions of roles, failed logins, and requests for a new password."""

from __future__ import annotations

import secrets
from datetime import datetime

from sqlalchemy import Column, ForeignKey, Integer, Table
from sqlalchemy.orm import Mapped, mapped_column, relationship, validates

from masthead.db import KEY, UTCDateTime, utcnow
from masthead.db.base import Base
from masthead.db.changed_tables import PRIVATE
from masthead.db.exportable import NOT_EXPORTED, REPLACED_ON_IMPORT, import_default
from masthead.schemas.field_types import Email
from masthead.schemas.language_tags import LanguageTag
from masthead.schemas.stored import checked_as
from masthead.unicode.ordering import sort_key

user_roles = Table(
    "core_user_role",
    Base.metadata,
    Column("user_id", ForeignKey("core_user.id", ondelete="CASCADE"), primary_key=True),
    Column("role_id", ForeignKey("core_role.id", ondelete="CASCADE"), primary_key=True, index=True),
)


def initial_generation() -> int:
    """Return a random token generation for a new user.

    A database that is restored or created anew reuses ids. Tokens of the former user with the same
    id are of another generation and therefore invalid.
    """
    return secrets.randbelow(2**31) + 1


class User(Base):
    """An account that can log in."""

    __tablename__ = "core_user"
    # Otherwise SQLite reuses the id of a deleted row, and with it everything that refers to the id.
    __table_args__ = {"sqlite_autoincrement": True}

    id: Mapped[int] = mapped_column(primary_key=True)
    username: Mapped[str]
    username_key: Mapped[str] = mapped_column(KEY, unique=True)
    sort_key: Mapped[str] = mapped_column(KEY, server_default="")
    """The username in the form that lists are ordered by."""
    email: Mapped[str | None] = mapped_column(info=checked_as(Email()))
    email_key: Mapped[str | None] = mapped_column(KEY, unique=True)
    display_name: Mapped[str | None]
    language: Mapped[str | None] = mapped_column(info=checked_as(LanguageTag()))
    """The tag of the language of mails to them; None for that of the organisation."""
    password: Mapped[str] = mapped_column(info=import_default(""))
    """``argon2id(sha256(password))``, or the bare SHA-256 digest of an imported user."""
    generation: Mapped[int] = mapped_column(default=initial_generation)
    """The version of the user's tokens, raised by a change of password; older ones are invalid."""
    kept_token: Mapped[str | None] = mapped_column(info=import_default(None))
    """The ``jti`` of the token that changed the password: the one older token that stays valid."""
    disabled: Mapped[bool] = mapped_column(default=False, info=import_default(True))
    revision: Mapped[int] = mapped_column(Integer(), default=1, server_default="1")
    """The number of the last change that staff or the user made."""
    created_at: Mapped[datetime] = mapped_column(UTCDateTime(), default=utcnow)
    updated_at: Mapped[datetime] = mapped_column(UTCDateTime(), default=utcnow)

    roles: Mapped[list[Role]] = relationship(
        lambda: Role, secondary=user_roles, order_by=lambda: Role.sort_key
    )

    @validates("username")
    def _set_sort_key(self, _attribute: str, username: str) -> str:
        self.sort_key = sort_key(username)
        return username


class Role(Base):
    """A named set of permissions."""

    __tablename__ = "core_role"
    __table_args__ = {"sqlite_autoincrement": True, "info": REPLACED_ON_IMPORT}

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    name_key: Mapped[str] = mapped_column(KEY, unique=True)
    sort_key: Mapped[str] = mapped_column(KEY, server_default="")
    """The name in the form that lists are ordered by."""
    description: Mapped[str | None]
    built_in: Mapped[bool] = mapped_column(default=False)
    revision: Mapped[int] = mapped_column(Integer(), default=1, server_default="1")

    grants: Mapped[list[RolePermission]] = relationship(
        lambda: RolePermission,
        cascade="all, delete-orphan",
        order_by=lambda: RolePermission.permission,
    )

    @validates("name")
    def _set_sort_key(self, _attribute: str, name: str) -> str:
        self.sort_key = sort_key(name)
        return name


class RolePermission(Base):
    """A permission of a role; the plugin that declares it may be disabled."""

    __tablename__ = "core_role_permission"
    __table_args__ = {"info": REPLACED_ON_IMPORT}

    role_id: Mapped[int] = mapped_column(ForeignKey(Role.id, ondelete="CASCADE"), primary_key=True)
    permission: Mapped[str] = mapped_column(KEY, primary_key=True)


class LoginFailure(Base):
    """The number of failed logins for a name from an IP address, counted where throttling is on."""

    __tablename__ = "core_login_failure"
    __table_args__ = {"info": PRIVATE | NOT_EXPORTED}

    key: Mapped[str] = mapped_column(primary_key=True)
    """The hash of the user, or of an unknown name, and the address."""
    since: Mapped[datetime] = mapped_column(UTCDateTime(), index=True)
    """The time of the first failure."""
    count: Mapped[int]


class RecoveryRequest(Base):
    """A request for a link to choose a new password, which the worker answers and deletes."""

    __tablename__ = "core_recovery_request"
    __table_args__ = {"info": PRIVATE | NOT_EXPORTED, "sqlite_autoincrement": True}

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    """The folded username or e-mail address; it may belong to nobody."""
    at: Mapped[datetime] = mapped_column(UTCDateTime(), default=utcnow)
