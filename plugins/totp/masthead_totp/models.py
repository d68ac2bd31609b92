"""The tables of authenticator apps and recovery codes."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Text, UniqueConstraint
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from masthead import (
    ID,
    KEY,
    NOT_EXPORTED,
    PRIVATE,
    User,
    UTCDateTime,
    plugin_metadata,
    sealed_column,
)

SECRET = "totp.secret"  # noqa: S105 - it is the purpose of a key


class Base(DeclarativeBase):
    """The base class of this plugin's models."""

    metadata = plugin_metadata("totp")


class Enrolment(Base):
    """The authenticator app of a user, or the beginning of its setup."""

    __tablename__ = "totp_enrolment"
    __table_args__: Any = {"info": PRIVATE | NOT_EXPORTED}

    user_id: Mapped[int] = mapped_column(
        ForeignKey(User.id, ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    sealed_secret: Mapped[str | None] = mapped_column(
        Text(), info=sealed_column(SECRET, plain="secret")
    )
    """The secret that the app shares, in Base32 and encrypted; None until the setup begins."""
    plain_secret: Mapped[str | None] = mapped_column("secret", Text())
    """A secret that isn't encrypted yet; only databases before revision 0002 have some."""
    confirmed_at: Mapped[datetime | None] = mapped_column(UTCDateTime())
    """The time of the first correct code, from which logins need one."""
    last_step: Mapped[int | None] = mapped_column(ID)
    """The number of the 30 seconds of the last code, which with all earlier ones is used up."""
    failures: Mapped[int] = mapped_column(default=0)
    """The number of wrong codes since the last correct one."""
    locked_until: Mapped[datetime | None] = mapped_column(UTCDateTime())
    """The time until which codes are refused, after too many wrong ones."""
    setup_digest: Mapped[str | None] = mapped_column(KEY, unique=True)
    """The SHA-256 digest of the token by which a user who can't log in sets the app up."""
    setup_until: Mapped[datetime | None] = mapped_column(UTCDateTime())
    """The time until which that token is valid."""


class RecoveryCode(Base):
    """A code that replaces the app once."""

    __tablename__ = "totp_recovery_code"
    __table_args__: Any = (
        UniqueConstraint("user_id", "digest"),
        {"sqlite_autoincrement": True, "info": PRIVATE | NOT_EXPORTED},
    )

    id: Mapped[int] = mapped_column(ID, primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey(Enrolment.user_id, ondelete="CASCADE"))
    digest: Mapped[str] = mapped_column(KEY)
