"""The recipients of a message, and the reasons why deliveries wait, failed or were skipped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from masthead import Page, Window
from masthead_email.failures import Failure
from masthead_email.outbox.models import (
    FAILED,
    PAUSED,
    QUEUED,
    SKIPPED,
    SKIPPED_CANCELLED,
    SKIPPED_PAUSED,
    SKIPPED_SUPPRESSED,
    SKIPPED_UNSUBSCRIBED,
    Delivery,
    Message,
    Outbox,
)

SUPPRESSED: Final = "suppressed"
ON_PAUSE: Final = "paused"
"""The name of the reason that a subscriber wishes to get nothing for some time."""
SKIP_REASONS = {
    SKIPPED_SUPPRESSED: SUPPRESSED,
    SKIPPED_UNSUBSCRIBED: "unsubscribed",
    SKIPPED_CANCELLED: "cancelled",
    SKIPPED_PAUSED: ON_PAUSE,
}
"""The name of each error of a skipped delivery."""
OTHER: Final = "other"
"""The name of any other reason, such as the erasure of the person."""

NO_FAILURES: Mapping[str, int] = {each.value: 0 for each in Failure}
NO_SKIPS: Mapping[str, int] = dict.fromkeys((*SKIP_REASONS.values(), OTHER), 0)

OUTBOX_PAUSED: Final = "outbox-paused"
RETRYING: Final = "retrying"
WAITING_REASONS = (OUTBOX_PAUSED, PAUSED, RETRYING, QUEUED)


@dataclass(frozen=True)
class Waiting:
    """The queued deliveries of a message."""

    reason: str | None
    """The reason why they wait, one of ``WAITING_REASONS``; None if there are none."""
    retrying: int
    """The number of those whose last attempt failed."""
    next_try_at: datetime | None
    """The time from which the first of them is sent."""


def failures_by_class(session: Session, message_id: int) -> dict[str, int]:
    """Return the number of failed deliveries per class; those without one are unknown."""
    found = dict(NO_FAILURES)
    for name, number in _grouped(session, message_id, FAILED, Delivery.failure):
        found[name if name in found else Failure.UNKNOWN.value] += number
    return found


def skips_by_reason(session: Session, message_id: int) -> dict[str, int]:
    """Return the number of skipped deliveries per reason."""
    found = dict(NO_SKIPS)
    for error, number in _grouped(session, message_id, SKIPPED, Delivery.last_error):
        found[SKIP_REASONS.get(error or "", OTHER)] += number
    return found


def waiting(session: Session, message: Message, queued: int) -> Waiting:
    """Return why deliveries of a message wait.

    :param queued: their number.
    """
    if not queued:
        return Waiting(None, 0, None)
    of_message = (Delivery.message_id == message.id, Delivery.state == QUEUED)
    failed = select(func.count()).select_from(Delivery).where(*of_message, Delivery.attempts > 0)
    retrying = session.scalar(failed) or 0
    first = session.scalar(select(func.min(Delivery.next_try_at)).where(*of_message))
    reason = QUEUED if retrying < queued else RETRYING
    if message.state == PAUSED:
        reason = PAUSED
    if session.scalar(select(Outbox.paused)):
        reason = OUTBOX_PAUSED
    return Waiting(reason, retrying, first)


def recipients(session: Session, message_id: int, window: Window, query: Mapping[str, str]) -> Page:
    """Return a page of a message's deliveries, in the order in which they were queued.

    :param query: optionally ``state``, and ``failure``, the class of the last failure.
    """
    conditions = [Delivery.message_id == message_id]
    for name, column in (("state", Delivery.state), ("failure", Delivery.failure)):
        if name in query:
            conditions.append(column == query[name])
    total = session.scalar(select(func.count()).select_from(Delivery).where(*conditions))
    rows = select(Delivery).where(*conditions).order_by(Delivery.id)
    found = session.scalars(rows.limit(window.limit).offset(window.offset)).all()
    return Page(found, total or 0)


def _grouped(session: Session, message_id: int, state: str, column: Any) -> Sequence[Any]:
    return session.execute(
        select(column, func.count())
        .where(Delivery.message_id == message_id, Delivery.state == state)
        .group_by(column)
    ).all()
