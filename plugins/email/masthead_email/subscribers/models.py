"""The subscribers' tables."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import CheckConstraint, LargeBinary
from sqlalchemy.orm import Mapped, mapped_column

from masthead import ID, KEY, PRIVATE, UTCDateTime, utcnow
from masthead_email.base import Base

SUBSCRIBED = "subscribed"
UNSUBSCRIBED = "unsubscribed"


class Subscriber(Base):
    """Somebody who gets the newsletter, or did."""

    __tablename__ = "email_subscriber"
    __table_args__ = {"info": PRIVATE, "sqlite_autoincrement": True}

    id: Mapped[int] = mapped_column(ID, primary_key=True)
    email: Mapped[str] = mapped_column(KEY, unique=True)
    """Lowercased, as the outbox has it."""
    name: Mapped[str | None]
    status: Mapped[str] = mapped_column(default=SUBSCRIBED)
    source: Mapped[str] = mapped_column(default="unknown")
    created_at: Mapped[datetime] = mapped_column(UTCDateTime(), default=utcnow)
    unsubscribed_at: Mapped[datetime | None] = mapped_column(UTCDateTime())


class LinkKey(Base):
    """The one key that signs links in mails; it lives as long as the database."""

    __tablename__ = "email_link_key"
    __table_args__ = (CheckConstraint("id = 1", name="only_one"), {"info": PRIVATE})

    id: Mapped[int] = mapped_column(ID, primary_key=True, autoincrement=False)
    secret: Mapped[bytes] = mapped_column(LargeBinary)
