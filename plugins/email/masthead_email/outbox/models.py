"""The outbox's tables: frozen messages, their deliveries, addresses that get nothing any more."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from sqlalchemy import JSON, CheckConstraint, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from masthead import ID, KEY, PRIVATE, STAYS, UTCDateTime, utcnow
from masthead_email.base import Base

NEWSLETTER: Final = "newsletter"
COMPOSED: Final = "composed"
FOLLOW_UP: Final = "follow-up"
NOTICE: Final = "notice"
ACCOUNT: Final = "account"
KINDS = (NEWSLETTER, COMPOSED, FOLLOW_UP, NOTICE, ACCOUNT)
PAUSABLE = (NEWSLETTER, COMPOSED)
"""What waits for staff where the relay refuses all; other mail is tried again, and fails then."""

ACTIVE: Final = "active"
PAUSED: Final = "paused"
CANCELLED: Final = "cancelled"
DONE: Final = "done"
"""Every delivery has been decided, or there was none."""

QUEUED: Final = "queued"
SENDING: Final = "sending"
SENT: Final = "sent"
FAILED: Final = "failed"
SKIPPED: Final = "skipped"
STATES = (QUEUED, SENDING, SENT, FAILED, SKIPPED)
OPEN = (QUEUED, SENDING)


class Message(Base):
    """A mail as it was when it was sent, placeholders still in it; it never changes."""

    __tablename__ = "email_message"
    __table_args__ = (
        Index(
            "ix_email_message_active",
            "priority",
            "id",
            sqlite_where=text("state = 'active'"),
            postgresql_where=text("state = 'active'"),
        ),
        Index("ix_email_message_source", "kind", "source_id"),
        {"info": PRIVATE | STAYS, "sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(ID, primary_key=True)
    kind: Mapped[str]
    """One of ``KINDS``."""
    source_id: Mapped[int | None]
    """The newsletter, composed e-mail or whatever else it was made of."""
    subject: Mapped[str]
    sender: Mapped[str]
    """Whom it comes from, as in ``Our Club <news@example.org>``."""
    reply_to: Mapped[str | None]
    html: Mapped[str | None]
    text: Mapped[str]
    unsubscribe: Mapped[bool]
    """Whether it bears a link that unsubscribes its recipient."""
    priority: Mapped[int]
    """Smaller goes first."""
    message_id_seed: Mapped[str]
    """What its Message-IDs are made of."""
    created_at: Mapped[datetime] = mapped_column(UTCDateTime(), default=utcnow)
    state: Mapped[str] = mapped_column(default=ACTIVE)
    pause_reason: Mapped[str | None]
    """Why it was paused, where nobody asked for it."""
    totals: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    """How many deliveries ended how, once their rows are gone."""


class Delivery(Base):
    """What becomes of a message for one recipient."""

    __tablename__ = "email_delivery"
    __table_args__ = (
        # Also leads from an address to what it got, newest first.
        Index("uq_email_delivery_address_message_id", "address", "message_id", unique=True),
        Index("ix_email_delivery_due", "message_id", "state", "next_try_at"),
        {"info": PRIVATE | STAYS},
    )

    id: Mapped[int] = mapped_column(ID, primary_key=True)
    message_id: Mapped[int]
    """Its message; no foreign key: that would be looked up for each of a million rows."""
    address: Mapped[str] = mapped_column(KEY)
    name: Mapped[str | None]
    subscriber_id: Mapped[int | None]
    """Who has to be subscribed still when it is sent; no foreign key: gone means unsubscribed."""
    values: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    """Values of placeholders beyond those that every recipient has."""
    state: Mapped[str] = mapped_column(default=QUEUED)
    attempts: Mapped[int] = mapped_column(default=0)
    last_error: Mapped[str | None]
    next_try_at: Mapped[datetime] = mapped_column(UTCDateTime())
    """When somebody may take it: whoever takes it moves it ahead, for as long as they need."""
    done_at: Mapped[datetime | None] = mapped_column(UTCDateTime())
    """When it was sent, failed or was skipped."""


class Suppression(Base):
    """An address that gets nothing any more, for mail to it came back."""

    __tablename__ = "email_suppression"
    __table_args__ = {"info": PRIVATE}

    address: Mapped[str] = mapped_column(KEY, primary_key=True)
    reason: Mapped[str]
    at: Mapped[datetime] = mapped_column(UTCDateTime(), default=utcnow)


class Outbox(Base):
    """The one row about the outbox as a whole."""

    __tablename__ = "email_outbox"
    __table_args__ = (
        CheckConstraint("id = 1", name="only_one"),
        {"info": PRIVATE | STAYS},
    )

    id: Mapped[int] = mapped_column(ID, primary_key=True, autoincrement=False)
    database_id: Mapped[str]
    """Where the database lay when mail was last sent from it; a restored one lies elsewhere."""
    runs: Mapped[int] = mapped_column(default=0)
    """How often deliveries were taken to be sent."""
    paused: Mapped[bool] = mapped_column(default=False)


class Sender(Base):
    """A worker that sends, so that they share what the relay takes."""

    __tablename__ = "email_sender"
    __table_args__ = {"info": PRIVATE | STAYS}

    id: Mapped[str] = mapped_column(KEY, primary_key=True)
    seen_at: Mapped[datetime] = mapped_column(UTCDateTime())
