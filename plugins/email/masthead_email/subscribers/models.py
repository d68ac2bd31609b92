"""The tables of subscribers and of the key that signs links."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import CheckConstraint, ColumnElement, Index, LargeBinary, and_, or_
from sqlalchemy.orm import Mapped, mapped_column

from masthead import (
    ID,
    PRIVATE,
    Bool,
    Choice,
    Email,
    LanguageTag,
    Line,
    ListOf,
    ResourceItem,
    Timestamp,
    UTCDateTime,
    field,
)
from masthead_email.base import Base
from masthead_email.settings import TOPIC
from masthead_email.subscribers.fields import TextFields

SUBSCRIBED: Final = "subscribed"
UNSUBSCRIBED: Final = "unsubscribed"
STATUSES = (SUBSCRIBED, UNSUBSCRIBED)
PENDING: Final = "pending"
"""The person hasn't confirmed the subscription yet, or hasn't agreed to it."""
LEFT: Final = "unsubscribed"
"""The person has unsubscribed."""
REMOVED: Final = "removed"
"""The organisation has removed the person, here or in another tool."""
BOUNCED: Final = "bounced"
"""Another tool couldn't deliver to the address."""
COMPLAINED: Final = "complained"
"""The person has reported a message of another tool as spam."""
UNSUBSCRIBE_KINDS = (PENDING, REMOVED, LEFT, BOUNCED, COMPLAINED)
"""The kinds; if several apply to a person, the last one counts."""
CONSENT = ("subscribed_at", "subscribed_ip", "confirmed_at", "confirmed_ip")
"""The columns about the consent of a person."""
UNKNOWN = "unknown"
"""The source of subscribers without a known one."""
SOURCE = TOPIC
"""The maximum number of characters of a source or a topic."""
TOPICS = ListOf(Line(SOURCE), max_length=100, unique=True)
"""The field type of topics and of sources."""
NO_LANGUAGE = "und"
"""The tag of an unknown language (ISO 639-2)."""
_ADDRESS = 45
"""The maximum number of characters of an IP address."""


class Subscriber(ResourceItem, Base):
    """A person who is or was subscribed to the newsletter."""

    __tablename__ = "email_subscriber"
    __table_args__: Any = (
        Index(None, "created_at", "id"),
        Index(None, "status", "created_at", "id"),
        Index(None, "updated_at", "id"),
        {"info": PRIVATE, "sqlite_autoincrement": True},
    )

    email: Mapped[str] = field(
        Email(), required=True, unique=True, help="The address, in lower case."
    )
    name: Mapped[str | None] = field(Line(), help="The name.", example="Ada Lovelace")
    status: Mapped[str] = field(
        Choice(*STATUSES), required=True, default=SUBSCRIBED, help="Whether they get newsletters."
    )
    source: Mapped[str] = field(
        Line(SOURCE), default=UNKNOWN, help="The place where they subscribed.", example="website"
    )
    fields: Mapped[dict[str, Any] | None] = field(
        TextFields(),
        help="The values of the fields of `masthead.email.fields`, which letters can use.",
        example={"city": "Bristol"},
    )
    topics: Mapped[list[str] | None] = field(
        TOPICS, help="The topics that interest them.", example=["Garden"]
    )
    language: Mapped[str | None] = field(
        LanguageTag(),
        help="The tag of the language in which they read; null if it isn't known.",
        example="en",
    )
    paused_until: Mapped[datetime | None] = field(
        Timestamp(), help="The time before which they get no newsletters; null for no pause."
    )
    subscribed_at: Mapped[datetime | None] = field(
        Timestamp(), help="The time at which they asked for the newsletter."
    )
    subscribed_ip: Mapped[str | None] = field(
        Line(_ADDRESS), help="The IP address that asked for it.", example="192.0.2.7"
    )
    confirmed_at: Mapped[datetime | None] = field(
        Timestamp(), help="The time of the confirmation by a link in a mail."
    )
    confirmed_ip: Mapped[str | None] = field(
        Line(_ADDRESS), help="The IP address that confirmed.", example="192.0.2.7"
    )
    unsubscribed_at: Mapped[datetime | None] = field(
        Timestamp(), help="The time at which the status became unsubscribed."
    )
    unsubscribe_kind: Mapped[str | None] = field(
        Choice(*UNSUBSCRIBE_KINDS),
        help="The reason for the status unsubscribed; null if it isn't known.",
    )
    unsubscribe_reason: Mapped[str | None] = field(
        Line(), help="The words of the person about the reason."
    )
    asked_at: Mapped[datetime | None] = mapped_column(UTCDateTime())
    """The time of the last confirmation request."""
    engaged_at: Mapped[datetime | None] = field(
        Timestamp(),
        help="The last day on which they followed a link; null while links aren't tracked.",
    )
    tracking_refused: Mapped[bool] = field(
        Bool(), default=False, help="Whether they don't want that day to be stored."
    )
    address_changed_at: Mapped[datetime | None] = mapped_column(UTCDateTime())
    """The time at which the person changed the address; it is a part of the signature of links that
    change it, so that only one of them works."""


def is_paused(subscriber: Any, now: Any) -> ColumnElement[bool]:
    """Return the condition that a subscriber gets no newsletters at the moment.

    :param subscriber: the class, or the columns of its table.
    :param now: the time, or the parameter of a statement with it.
    """
    return and_(subscriber.paused_until.is_not(None), subscriber.paused_until > now)


def active_pause(subscriber: Subscriber, now: datetime) -> datetime | None:
    """Return the end of a subscriber's pause; None if it has ended."""
    until = subscriber.paused_until
    return until if until is not None and until > now else None


def has_language(language: Any, wanted: Sequence[str]) -> ColumnElement[bool]:
    """Return the condition that a language is one of those wanted: ``de-AT`` is ``de``, too.

    :param language: the column of tags.
    :param wanted: tags; :data:`NO_LANGUAGE` stands for those whose language isn't known.
    """
    starts = (language.startswith(f"{tag}-", autoescape=True) for tag in wanted)
    unknown = [language.is_(None)] if NO_LANGUAGE in wanted else []
    return or_(language.in_(wanted), *starts, *unknown)


class LinkKey(Base):
    """The key that signs links in mails, in a single row; it never changes."""

    __tablename__ = "email_link_key"
    __table_args__ = (CheckConstraint("id = 1", name="only_one"), {"info": PRIVATE})

    id: Mapped[int] = mapped_column(ID, primary_key=True, autoincrement=False)
    secret: Mapped[bytes] = mapped_column(LargeBinary)
