"""The tables of the outbox: messages, deliveries and suppressed addresses."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from sqlalchemy import JSON, CheckConstraint, Index, false, text
from sqlalchemy.orm import Mapped, mapped_column

from masthead import ID, KEY, NOT_EXPORTED, PRIVATE, UTCDateTime, utcnow
from masthead_email.base import Base
from masthead_email.failures import Failure

NEWSLETTER: Final = "newsletter"
COMPOSED: Final = "composed"
FOLLOW_UP: Final = "follow-up"
NOTICE: Final = "notice"
ACCOUNT: Final = "account"
KINDS = (NEWSLETTER, COMPOSED, FOLLOW_UP, NOTICE, ACCOUNT)
PAUSABLE = (NEWSLETTER, COMPOSED)
"""Kinds that are paused if the relay rejects the sender; other mail is retried until it fails."""

ACTIVE: Final = "active"
PAUSED: Final = "paused"
CANCELLED: Final = "cancelled"
DONE: Final = "done"
"""No delivery is open."""

QUEUED: Final = "queued"
SENDING: Final = "sending"
SENT: Final = "sent"
FAILED: Final = "failed"
SKIPPED: Final = "skipped"
STATES = (QUEUED, SENDING, SENT, FAILED, SKIPPED)
OPEN = (QUEUED, SENDING)

SKIPPED_UNSUBSCRIBED: Final = "Unsubscribed"
SKIPPED_SUPPRESSED: Final = "Address is suppressed"
SKIPPED_CANCELLED: Final = "Cancelled"
SKIPPED_PAUSED: Final = "Paused by the recipient"
"""The error of a skipped delivery is one of these, or null."""

COMPLAINT: Final = "complaint"
"""The recipient has reported a message as spam."""
REPEATED: Final = "repeated"
"""Deliveries failed again and again, without a reply that says that the address doesn't exist."""
MANUAL: Final = "manual"
"""A user has suppressed the address."""
SUPPRESSION_KINDS = (Failure.RECIPIENT_GONE.value, COMPLAINT, REPEATED, MANUAL)
NAMED: Final = "named"
"""The name of the value with the address of another person, which the text contains, too."""


class Message(Base):
    """A message with placeholders, immutable once it is queued."""

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
        {"info": PRIVATE | NOT_EXPORTED, "sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(ID, primary_key=True)
    kind: Mapped[str]
    """One of ``KINDS``."""
    source_id: Mapped[int | None]
    """The id of its source, such as a newsletter or a composed e-mail."""
    subject: Mapped[str]
    sender: Mapped[str]
    """The From address, such as ``Our Club <news@example.org>``."""
    reply_to: Mapped[str | None]
    html: Mapped[str | None]
    text: Mapped[str]
    unsubscribe: Mapped[bool]
    """Whether it has an unsubscribe link per recipient."""
    priority: Mapped[int]
    """Lower values are sent first."""
    message_id_seed: Mapped[str]
    """The random part of its Message-IDs."""
    created_at: Mapped[datetime] = mapped_column(UTCDateTime(), default=utcnow)
    state: Mapped[str] = mapped_column(default=ACTIVE)
    pause_reason: Mapped[str | None]
    """The reason if the relay, not a user, caused the pause."""
    brake: Mapped[int | None]
    """The number of equal refusals in a row that pauses it; null for the setting. It grows with
    each such pause, so a user who resumes it gets further each time."""
    retried_at: Mapped[datetime | None] = mapped_column(UTCDateTime())
    """The last time at which staff queued failed deliveries again."""
    summarized: Mapped[bool] = mapped_column(default=False)
    """Whether staff were told how many of its deliveries failed, or needn't be."""
    to_suppressed: Mapped[bool] = mapped_column(default=False)
    """Whether suppressed addresses get it, too: a request to confirm that the address works."""
    values: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    """The values of placeholders that are the same for all recipients."""
    totals: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    """The number of deliveries per state whose rows were deleted."""


class Delivery(Base):
    """The delivery of a message to one recipient."""

    __tablename__ = "email_delivery"
    __table_args__ = (
        # Also finds the deliveries of an address, newest first.
        Index("uq_email_delivery_address_message_id", "address", "message_id", unique=True),
        Index("ix_email_delivery_due", "message_id", "state", "next_try_at"),
        Index(
            "ix_email_delivery_failed",
            "done_at",
            sqlite_where=text("state = 'failed'"),
            postgresql_where=text("state = 'failed'"),
        ),
        {"info": PRIVATE | NOT_EXPORTED},
    )

    id: Mapped[int] = mapped_column(ID, primary_key=True)
    message_id: Mapped[int]
    """Its message; not a foreign key, which would be checked for each of a million rows."""
    address: Mapped[str] = mapped_column(KEY)
    name: Mapped[str | None]
    subscriber_id: Mapped[int | None]
    """The subscriber, who must be subscribed when it is sent; not a foreign key: a deleted
    subscriber counts as unsubscribed."""
    values: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    """The values of additional placeholders."""
    state: Mapped[str] = mapped_column(default=QUEUED)
    attempts: Mapped[int] = mapped_column(default=0)
    last_error: Mapped[str | None]
    failure: Mapped[str | None]
    """The class of the last failure, a value of ``Failure``."""
    next_try_at: Mapped[datetime] = mapped_column(UTCDateTime())
    """The time from which a sender may claim it; a claim sets it to the end of the lease."""
    done_at: Mapped[datetime | None] = mapped_column(UTCDateTime())
    """The time at which it was sent, failed or was skipped."""
    complained_at: Mapped[datetime | None] = mapped_column(UTCDateTime())
    """The time at which a complaint about it was processed."""
    forgiven: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether its failure no longer counts, because the address was released since."""


ERASED = ~Delivery.address.contains("@")
"""The condition for deliveries of erased persons: a pseudonym is no address."""


class Suppression(Base):
    """An address that receives no mail."""

    __tablename__ = "email_suppression"
    __table_args__ = (
        Index("ix_email_suppression_at", "at", "address"),
        Index("ix_email_suppression_message", "message_id"),
        {"info": PRIVATE},
    )

    address: Mapped[str] = mapped_column(KEY, primary_key=True)
    kind: Mapped[str] = mapped_column(default=Failure.RECIPIENT_GONE.value)
    """One of ``SUPPRESSION_KINDS``."""
    reason: Mapped[str]
    """The words of the server, the provider or the user."""
    message_id: Mapped[int | None] = mapped_column(ID)
    """The outbox message that caused it; not a foreign key: exports have no messages."""
    at: Mapped[datetime] = mapped_column(UTCDateTime(), default=utcnow)
    asked_at: Mapped[datetime | None] = mapped_column(UTCDateTime())
    """The last time at which the address was sent a request to confirm that it works."""


class Outbox(Base):
    """The state of the whole outbox, in a single row."""

    __tablename__ = "email_outbox"
    __table_args__ = (
        CheckConstraint("id = 1", name="only_one"),
        {"info": PRIVATE | NOT_EXPORTED},
    )

    id: Mapped[int] = mapped_column(ID, primary_key=True, autoincrement=False)
    database_id: Mapped[str]
    """The id of the database that mail was last sent from; a restored database has another."""
    runs: Mapped[int] = mapped_column(default=0)
    """The number of delivery runs."""
    paused: Mapped[bool] = mapped_column(default=False)
    reason: Mapped[str | None]
    """Why the restore guard has paused sending; null if a command did."""
    epoch: Mapped[int] = mapped_column(ID, default=0)
    """The time of the last resumption in microseconds; 0 if there was none."""


class Handover(Base):
    """The number of hand-overs to a relay from one data folder, which its ``mail.mark`` repeats.

    A row of its own for each folder, so that workers on several machines don't wait for each other.
    """

    __tablename__ = "email_handover"
    __table_args__ = {"info": PRIVATE | NOT_EXPORTED}

    folder: Mapped[str] = mapped_column(KEY, primary_key=True)
    count: Mapped[int] = mapped_column(ID, default=0)


class Sender(Base):
    """A worker that is sending; all current senders share the rate limit."""

    __tablename__ = "email_sender"
    __table_args__ = {"info": PRIVATE | NOT_EXPORTED}

    id: Mapped[str] = mapped_column(KEY, primary_key=True)
    seen_at: Mapped[datetime] = mapped_column(UTCDateTime())


class Refusal(Base):
    """A failed attempt that isn't judged yet: it may be the relay's state, not the recipient's.

    The delivery has its new state already, but an address is suppressed only after the judgement.
    """

    __tablename__ = "email_refusal"
    __table_args__ = {"info": PRIVATE | NOT_EXPORTED}

    delivery_id: Mapped[int] = mapped_column(ID, primary_key=True, autoincrement=False)
    group_id: Mapped[int] = mapped_column(ID, index=True)
    """The message, or 0 for all mail that can't be paused."""
    permanent: Mapped[bool]
    kind: Mapped[str]
    """The words of the relay without addresses and numbers; equal for refusals of one kind."""
    running: Mapped[bool] = mapped_column(default=True)
    """Whether no message of the group was accepted since."""
    at: Mapped[datetime] = mapped_column(UTCDateTime(), default=utcnow)


class RelayState(Base):
    """The trouble and the limits of a relay, shared by all workers."""

    __tablename__ = "email_relay"
    __table_args__ = {"info": PRIVATE | NOT_EXPORTED}

    name: Mapped[str] = mapped_column(KEY, primary_key=True)
    """Its host and port, or the scheme of another transport."""
    troubles: Mapped[int] = mapped_column(default=0)
    """The number of runs in a row that ended because of the relay."""
    trouble: Mapped[str | None]
    """The words of the relay, or the fault of the connection; null if it works."""
    trouble_since: Mapped[datetime | None] = mapped_column(UTCDateTime())
    retry_at: Mapped[datetime | None] = mapped_column(UTCDateTime())
    """The time before which no worker connects to it."""
    logins: Mapped[list[Any] | None] = mapped_column(JSON(none_as_null=True))
    """The recent connections: pairs of the time as a Unix timestamp, and whether it succeeded."""
    login_limit: Mapped[int | None]
    """The number of connections that it allows in a time of ``masthead.email.login_window``."""
    login_limit_at: Mapped[datetime | None] = mapped_column(UTCDateTime())
    message_limit: Mapped[int | None]
    """The number of messages that it accepts on one connection."""
    message_limit_at: Mapped[datetime | None] = mapped_column(UTCDateTime())
    rate_limit: Mapped[int | None]
    """The number of messages that it accepts in a time of ``masthead.email.login_window``."""
    rate_limit_at: Mapped[datetime | None] = mapped_column(UTCDateTime())
    paused_domains: Mapped[dict[str, float] | None] = mapped_column(JSON(none_as_null=True))
    """The domains that get no mail before a time, a Unix timestamp."""
    day: Mapped[str | None]
    """The date in UTC that ``day_sent`` counts."""
    day_sent: Mapped[int] = mapped_column(default=0)
    """The number of messages that were accepted on that day."""
