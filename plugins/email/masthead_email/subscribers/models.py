"""The subscribers' tables."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlalchemy import CheckConstraint, LargeBinary
from sqlalchemy.orm import Mapped, mapped_column

from masthead import (
    ID,
    PRIVATE,
    Choice,
    Email,
    ResourceItem,
    Str,
    UTCDateTime,
    field,
)
from masthead_email.base import Base

SUBSCRIBED: Final = "subscribed"
UNSUBSCRIBED: Final = "unsubscribed"
STATUSES = (SUBSCRIBED, UNSUBSCRIBED)
UNKNOWN = "unknown"
"""The source of who came nobody says from where."""
SOURCE = 50
"""Characters of a source."""


class Subscriber(ResourceItem, Base):
    """Somebody who gets the newsletter, or did."""

    __tablename__ = "email_subscriber"
    __table_args__ = {"info": PRIVATE, "sqlite_autoincrement": True}

    email: Mapped[str] = field(Email(), required=True, unique=True)
    """Lowercased, as the outbox has it."""
    name: Mapped[str | None] = field(Str())
    status: Mapped[str] = field(Choice(*STATUSES), required=True, default=SUBSCRIBED)
    source: Mapped[str] = field(Str(SOURCE), default=UNKNOWN)
    unsubscribed_at: Mapped[datetime | None] = mapped_column(UTCDateTime())
    """When they left; none where they are asked whether they want to subscribe, and didn't yet."""
    asked_at: Mapped[datetime | None] = mapped_column(UTCDateTime())
    """When they were last asked by mail whether they want to subscribe."""


class LinkKey(Base):
    """The one key that signs links in mails; it lives as long as the database."""

    __tablename__ = "email_link_key"
    __table_args__ = (CheckConstraint("id = 1", name="only_one"), {"info": PRIVATE})

    id: Mapped[int] = mapped_column(ID, primary_key=True, autoincrement=False)
    secret: Mapped[bytes] = mapped_column(LargeBinary)
