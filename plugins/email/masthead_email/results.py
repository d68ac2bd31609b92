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
DEFERRED: Final = "deferred"
"""Not attempted because of the relay's state: the delivery is due again after a short pause."""
FAILED: Final = "failed"
UNSENDABLE: Final = "unsendable"
"""A permanent failure before the relay was asked."""
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
    limited_domain: str = ""
    """The recipient's domain, if it gets too much mail at the moment."""
    pausable: bool = False
    """Whether the message is paused if the relay rejects it for all recipients."""

    @property
    def group(self) -> int:
        """The message, or 0 for all mail that can't be paused."""
        return self.message_id if self.pausable else 0


def sent(envelope: Envelope) -> Result:
    """Return the result of an accepted message."""
    return _result(envelope, SENT)


def retried(envelope: Envelope, error: str, failure: Failure | None = Failure.TRANSIENT) -> Result:
    """Return the result of a transient failure."""
    return _result(envelope, RETRIED, error, failure)


def requeued(envelope: Envelope, error: str) -> Result:
    """Return the result of a delivery that wasn't attempted."""
    return _result(envelope, REQUEUED, error)


def deferred(envelope: Envelope, error: str, limited_domain: str = "") -> Result:
    """Return the result if the relay's state, not this message, prevents the delivery for now.

    :param limited_domain: the recipient's domain, if only this domain gets too much mail.
    """
    return _result(envelope, DEFERRED, error, Failure.TRANSIENT, limited_domain)


def unsendable(envelope: Envelope, error: str) -> Result:
    """Return the result of a permanent failure before the relay was asked."""
    return _result(envelope, UNSENDABLE, error, Failure.UNKNOWN)


def failed(envelope: Envelope, error: str, failure: Failure = Failure.UNKNOWN) -> Result:
    """Return the result of a permanent failure."""
    return _result(envelope, FAILED, error, failure)


def paused(envelope: Envelope, error: str) -> Result:
    """Return the result if the relay rejects the message for all recipients.

    It counts as an attempt if the message isn't pausable.
    """
    return _result(
        envelope, PAUSED if envelope.pausable else RETRIED, error, Failure.SENDER_REFUSED
    )


def _result(
    envelope: Envelope,
    outcome: str,
    error: str = "",
    failure: Failure | None = None,
    limited_domain: str = "",
) -> Result:
    return Result(
        envelope.delivery_id,
        envelope.message_id,
        outcome,
        error,
        failure,
        limited_domain,
        envelope.pausable,
    )
