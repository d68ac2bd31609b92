"""The tables of webhooks and their deliveries.

Only staff see them, so writing them doesn't invalidate the cache of public answers.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, Text, false, text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from masthead import (
    ID,
    KEY,
    NOT_EXPORTED,
    PRIVATE,
    Bool,
    Choice,
    Line,
    ListOf,
    ResourceItem,
    UTCDateTime,
    field,
    import_default,
    plugin_metadata,
    utcnow,
)
from masthead_webhooks.address_type import Address

CONTENT = ("published", "changed", "withdrawn")
APPROVAL = ("request", "vote", "approve", "reject", "withdraw", "publish")
EVENTS = (
    "*",
    "content.*",
    *(f"content.{each}" for each in CONTENT),
    "approval.*",
    *(f"approval.{each}" for each in APPROVAL),
)
"""The events and patterns of events that a webhook can choose."""
TEST = "webhook.test"
"""The event of a call that staff request; each webhook gets it."""

WAITING, SENDING, DELIVERED, FAILED = "waiting", "sending", "delivered", "failed"
SUPERSEDED = "superseded"
"""The state of a call that was left out because a later one was to be made."""
STATES = (WAITING, SENDING, DELIVERED, FAILED, SUPERSEDED)
OPEN = (WAITING, SENDING)


class Base(DeclarativeBase):
    """The base class of this plugin's models."""

    metadata = plugin_metadata("webhooks")


class Webhook(ResourceItem, Base):
    """An endpoint of another program, and the events that it is called for."""

    __tablename__ = "webhooks_webhook"
    __table_args__: Any = {"sqlite_autoincrement": True, "info": PRIVATE}

    url: Mapped[str] = field(
        Address(),
        required=True,
        help="The address that is called.",
        example="https://example.org/hook",
    )
    description: Mapped[str] = field(
        Line(min_length=0), default="", help="Its purpose.", example="Builds the website anew"
    )
    events: Mapped[list[str]] = field(
        ListOf(Choice(*EVENTS), max_length=len(EVENTS), unique=True),
        required=True,
        help="The events that it is called for.",
    )
    content_types: Mapped[list[str]] = field(
        ListOf(Line(), max_length=100, unique=True),
        default=list,
        help="The content types and public resources that it is called for; empty for all.",
        example=["news"],
    )
    latest_only: Mapped[bool] = field(
        Bool(),
        default=False,
        server_default=false(),
        help="Whether only the last of the calls that wait is made.",
    )
    active: Mapped[bool] = field(Bool(), default=True, help="Whether it is called.")
    switched_off: Mapped[str | None] = mapped_column(Text())
    """The reason why Masthead has switched it off."""
    failing_since: Mapped[datetime | None] = mapped_column(UTCDateTime(), info=import_default(None))
    """The time of the first failure since the last success."""
    told_at: Mapped[datetime | None] = mapped_column(UTCDateTime(), info=import_default(None))
    """The time when staff were told that deliveries are given up; None after a success."""
    secret: Mapped[str] = mapped_column(Text(), info=import_default(""))
    former_secret: Mapped[str | None] = mapped_column(Text(), info=import_default(None))
    former_until: Mapped[datetime | None] = mapped_column(UTCDateTime(), info=import_default(None))
    """The time until which calls are also signed with the former secret."""


class Delivery(Base):
    """A call of a webhook that is to be made, or was made."""

    __tablename__ = "webhooks_delivery"
    __table_args__: Any = (
        Index(None, "webhook_id", "id"),
        Index(None, "created_at"),
        Index(
            "ix_webhooks_delivery_open",
            "next_try_at",
            "webhook_id",
            sqlite_where=text("state IN ('waiting', 'sending')"),
            postgresql_where=text("state IN ('waiting', 'sending')"),
        ),
        {"sqlite_autoincrement": True, "info": PRIVATE | NOT_EXPORTED},
    )

    id: Mapped[int] = mapped_column(ID, primary_key=True)
    webhook_id: Mapped[int] = mapped_column(ForeignKey(Webhook.id, ondelete="CASCADE"))
    message_id: Mapped[str] = mapped_column(KEY)
    """The header ``webhook-id``, the same for all attempts."""
    event: Mapped[str] = mapped_column(Text())
    payload: Mapped[str] = mapped_column(Text())
    """The body, as it is sent and signed."""
    state: Mapped[str] = mapped_column(Text(), default=WAITING)
    attempts: Mapped[int] = mapped_column(default=0)
    created_at: Mapped[datetime] = mapped_column(UTCDateTime(), default=utcnow)
    next_try_at: Mapped[datetime] = mapped_column(UTCDateTime(), default=utcnow)
    """The time of the next attempt; during an attempt the end of its lease."""
    done_at: Mapped[datetime | None] = mapped_column(UTCDateTime())
    status: Mapped[int | None]
    """The status of the last answer."""
    error: Mapped[str | None] = mapped_column(Text())
    duration: Mapped[int | None]
    """The milliseconds that the last attempt took."""
    response: Mapped[str | None] = mapped_column(Text())
    """The beginning of the last answer."""


class Progress(Base):
    """The one row with the time up to which scheduled items were announced."""

    __tablename__ = "webhooks_progress"
    __table_args__: Any = {"info": PRIVATE | NOT_EXPORTED}

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    until: Mapped[datetime] = mapped_column(UTCDateTime())
