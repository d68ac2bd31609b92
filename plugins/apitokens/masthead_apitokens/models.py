"""The table of API tokens."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship

from masthead import ID, KEY, NOT_EXPORTED, PRIVATE, User, UTCDateTime, plugin_metadata, utcnow


class Base(DeclarativeBase):
    """The base class of this plugin's models."""

    metadata = plugin_metadata("apitokens")


class ApiToken(Base):
    """A credential with which a program acts for a user; without the row, the token is invalid."""

    __tablename__ = "apitokens_token"
    __table_args__: Any = {"sqlite_autoincrement": True, "info": PRIVATE | NOT_EXPORTED}

    id: Mapped[int] = mapped_column(ID, primary_key=True)
    digest: Mapped[str] = mapped_column(KEY, unique=True)
    """The SHA-256 digest of the token, so that a copy of the database is no way in."""
    name: Mapped[str] = mapped_column(Text())
    user_id: Mapped[int] = mapped_column(ForeignKey(User.id, ondelete="CASCADE"), index=True)
    permissions: Mapped[list[str]] = mapped_column(JSON())
    """The permissions that the token has as long as the user has them."""
    approves: Mapped[list[str]] = mapped_column(JSON())
    """The content types that the token may approve as long as the user may."""
    created_at: Mapped[datetime] = mapped_column(UTCDateTime(), default=utcnow)
    expires_at: Mapped[datetime] = mapped_column(UTCDateTime(), index=True)
    last_used_at: Mapped[datetime | None] = mapped_column(UTCDateTime())
    """The time of the last use, exact to about a minute."""
    notified_at: Mapped[datetime | None] = mapped_column(UTCDateTime())
    """The time of the notice that the token ends soon; None if its owner doesn't know it yet."""
    revision: Mapped[int] = mapped_column(default=1)

    user: Mapped[User] = relationship(User)
