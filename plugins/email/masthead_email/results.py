"""Envelopes, and the results of sending them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from masthead_email.failures import Failure

SENT: Final = "sent"
RETRIED: Final = "retried"
"""A transient failure: it counts as an attempt, and a retry follows after a delay."""
REQUEUED: Final = "requeued"
"""Not attempted: the delivery is due again at once."""
FAILED: Final = "failed"
PAUSED: Final = "paused"
"""The relay rejects this message for all recipients."""


@dataclass(frozen=True, slots=True)
class Envelope:
    """A message for one recipient, with the addresses of the SMTP envelope."""

    delivery_id: int
    message_id: int
    """The id of the outbox message; not the Message-ID header."""
    sender: bytes
    """The return path."""
    recipient: bytes
    content: bytes
    utf8: bool = False
    """Whether an address or the header needs SMTPUTF8 (RFC 6531)."""
    pausable: bool = False
    """Whether the message is paused, not retried, if the relay rejects it for all recipients."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a delivery attempt."""

    delivery_id: int
    message_id: int
    outcome: str
    error: str = ""
    failure: Failure | None = None
    """The class of the failure, if the attempt failed. The recipient's address is suppressed if it
    doesn't exist."""


def sent(envelope: Envelope) -> Result:
    """Return the result of an accepted message."""
    return Result(envelope.delivery_id, envelope.message_id, SENT)


def retried(envelope: Envelope, error: str, failure: Failure | None = Failure.TRANSIENT) -> Result:
    """Return the result of a transient failure."""
    return Result(envelope.delivery_id, envelope.message_id, RETRIED, error, failure)


def requeued(envelope: Envelope, error: str) -> Result:
    """Return the result of a delivery that wasn't attempted."""
    return Result(envelope.delivery_id, envelope.message_id, REQUEUED, error)


def failed(envelope: Envelope, error: str, failure: Failure = Failure.UNKNOWN) -> Result:
    """Return the result of a permanent failure."""
    return Result(envelope.delivery_id, envelope.message_id, FAILED, error, failure)


def paused(envelope: Envelope, error: str) -> Result:
    """Return the result if the relay rejects the message for all recipients.

    It counts as an attempt if the message isn't pausable.
    """
    outcome = PAUSED if envelope.pausable else RETRIED
    return Result(envelope.delivery_id, envelope.message_id, outcome, error, Failure.SENDER_REFUSED)
