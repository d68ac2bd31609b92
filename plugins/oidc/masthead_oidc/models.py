"""The tables of links between users and the provider, and of logins by it.

Only staff see them, so writing them doesn't invalidate the cache of public answers.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, Text, UniqueConstraint
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship

from masthead import (
    ID,
    KEY,
    NOT_EXPORTED,
    PRIVATE,
    User,
    UTCDateTime,
    plugin_metadata,
    utcnow,
)


class Base(DeclarativeBase):
    """The base class of this plugin's models."""

    metadata = plugin_metadata("oidc")


class Link(Base):
    """A person at a provider, who is a user here."""

    __tablename__ = "oidc_link"
    __table_args__: Any = (
        UniqueConstraint("issuer", "subject"),
        {"sqlite_autoincrement": True, "info": PRIVATE},
    )

    id: Mapped[int] = mapped_column(ID, primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey(User.id, ondelete="CASCADE"), index=True)
    issuer: Mapped[str] = mapped_column(KEY)
    subject: Mapped[str] = mapped_column(KEY)
    """The provider's name of the person, which never changes."""
    created_at: Mapped[datetime] = mapped_column(UTCDateTime(), default=utcnow)
    last_login_at: Mapped[datetime | None] = mapped_column(UTCDateTime())

    user: Mapped[User] = relationship(User)


class ProviderLogin(Base):
    """A login by the provider: its proof, and the login token that was issued for it."""

    __tablename__ = "oidc_login"
    __table_args__: Any = (
        Index(None, "expires_at"),
        {"info": PRIVATE | NOT_EXPORTED, "sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(ID, primary_key=True)
    ticket: Mapped[str] = mapped_column(KEY, unique=True)
    """The hash of the ticket, which the client may send again with the code of a second step."""
    link_id: Mapped[int] = mapped_column(ForeignKey(Link.id, ondelete="CASCADE"), index=True)
    id_token: Mapped[str] = mapped_column(Text())
    """The ID token, by which the provider knows the session that a logout ends."""
    session_id: Mapped[str | None] = mapped_column(KEY, index=True)
    """The provider's name of the session (``sid``), if it has given one."""
    token_id: Mapped[str | None] = mapped_column(KEY, index=True)
    """The ``jti`` of the login token; None until it is issued."""
    created_at: Mapped[datetime | None] = mapped_column(UTCDateTime())
    """The time of the login; None for those before revision 0002."""
    expires_at: Mapped[datetime] = mapped_column(UTCDateTime())
    """The time at which the ticket, or later the login token, ends."""

    link: Mapped[Link] = relationship(Link)
