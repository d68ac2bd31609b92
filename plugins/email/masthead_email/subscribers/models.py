"""The tables of subscribers and of the key that signs links."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from sqlalchemy import CheckConstraint, LargeBinary
from sqlalchemy.orm import Mapped, mapped_column

from masthead import ID, PRIVATE, Choice, Email, Line, ListOf, ResourceItem, UTCDateTime, field
from masthead_email.base import Base
from masthead_email.subscribers.fields import TextFields

SUBSCRIBED: Final = "subscribed"
UNSUBSCRIBED: Final = "unsubscribed"
STATUSES = (SUBSCRIBED, UNSUBSCRIBED)
UNKNOWN = "unknown"
"""The source of subscribers without a known one."""
SOURCE = 50
"""The maximum number of characters of a source or a topic."""
TOPICS = ListOf(Line(SOURCE), max_length=100, unique=True)
"""The field type of topics and of sources."""


class Subscriber(ResourceItem, Base):
    """A person who is or was subscribed to the newsletter."""

    __tablename__ = "email_subscriber"
    __table_args__ = {"info": PRIVATE, "sqlite_autoincrement": True}

    email: Mapped[str] = field(Email(), required=True, unique=True)
    """The address in lower case, as in the outbox."""
    name: Mapped[str | None] = field(Line())
    status: Mapped[str] = field(Choice(*STATUSES), required=True, default=SUBSCRIBED)
    source: Mapped[str] = field(Line(SOURCE), default=UNKNOWN)
    fields: Mapped[dict[str, Any] | None] = field(TextFields())
    """The values of the fields of ``masthead.email.fields``, which letters can use."""
    topics: Mapped[list[str] | None] = field(TOPICS)
    """The topics that interest them; newsletters can be sent to the subscribers of a topic."""
    unsubscribed_at: Mapped[datetime | None] = mapped_column(UTCDateTime())
    """The time of the unsubscription; None also while the confirmation of a new one is pending."""
    asked_at: Mapped[datetime | None] = mapped_column(UTCDateTime())
    """The time of the last confirmation request."""


class LinkKey(Base):
    """The key that signs links in mails, in a single row; it never changes."""

    __tablename__ = "email_link_key"
    __table_args__ = (CheckConstraint("id = 1", name="only_one"), {"info": PRIVATE})

    id: Mapped[int] = mapped_column(ID, primary_key=True, autoincrement=False)
    secret: Mapped[bytes] = mapped_column(LargeBinary)
