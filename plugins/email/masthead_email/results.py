"""What is handed over, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

SENT: Final = "sent"
RETRIED: Final = "retried"
"""It counts as a try; the next one is later."""
REQUEUED: Final = "requeued"
"""It counts for nothing; it is due at once."""
FAILED: Final = "failed"
PAUSED: Final = "paused"
"""Nobody would get this message as things are."""


@dataclass(frozen=True, slots=True)
class Envelope:
    """A letter and whom it goes to."""

    delivery_id: int
    message_id: int
    """Of the message in the outbox, not of the letter's header."""
    sender: bytes
    """The return path."""
    recipient: bytes
    content: bytes
    utf8: bool = False
    """Whether one of the addresses needs more than ASCII (RFC 6531)."""
    pausable: bool = False
    """Whether staff can resume its message, once that was paused."""


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a delivery."""

    delivery_id: int
    message_id: int
    outcome: str
    error: str = ""
    suppress: bool = False
    """Whether nothing should go to the address any more."""


def sent(envelope: Envelope) -> Result:
    """The relay has it."""
    return Result(envelope.delivery_id, envelope.message_id, SENT)


def retried(envelope: Envelope, error: str) -> Result:
    """It failed, and may not fail later."""
    return Result(envelope.delivery_id, envelope.message_id, RETRIED, error)


def requeued(envelope: Envelope, error: str) -> Result:
    """Nothing was tried."""
    return Result(envelope.delivery_id, envelope.message_id, REQUEUED, error)


def failed(envelope: Envelope, error: str, *, suppress: bool = False) -> Result:
    """It will never arrive."""
    return Result(envelope.delivery_id, envelope.message_id, FAILED, error, suppress)


def paused(envelope: Envelope, error: str) -> Result:
    """The relay refuses what every letter of this message would ask for.

    That counts as a try where nobody could resume the message.
    """
    outcome = PAUSED if envelope.pausable else RETRIED
    return Result(envelope.delivery_id, envelope.message_id, outcome, error)
