"""Queueing failed and skipped deliveries again."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import ColumnElement, and_, case, exists, func, or_, select, update
from sqlalchemy.orm import Session

from masthead import Refused, lock_row, utcnow
from masthead_email.failures import Failure
from masthead_email.outbox.models import (
    ACTIVE,
    CANCELLED,
    DONE,
    ERASED,
    FAILED,
    QUEUED,
    SKIPPED,
    SKIPPED_SUPPRESSED,
    SKIPPED_UNSUBSCRIBED,
    Delivery,
    Message,
    Suppression,
)
from masthead_email.subscribers.models import SUBSCRIBED, Subscriber, is_paused

_RETRIED_SKIPS = (SKIPPED_SUPPRESSED, SKIPPED_UNSUBSCRIBED)
"""The reasons of skipped deliveries that may hold no longer."""
NONE_LEFT_OUT = {"suppressed": 0, "unsubscribed": 0, "paused": 0, "erased": 0}
"""The numbers of deliveries that aren't queued, by reason."""
_SUPPRESSED = exists().where(Suppression.address == Delivery.address)
_SUBSCRIBER = Subscriber.id == Delivery.subscriber_id
_SUBSCRIBED = or_(
    Delivery.subscriber_id.is_(None),
    exists().where(_SUBSCRIBER, Subscriber.status == SUBSCRIBED),
)


def queue_failed(
    session: Session, message_id: int, failures: Sequence[str] | None, *, skipped: bool = False
) -> tuple[int, dict[str, int]]:
    """Queue the failed deliveries of a message again, in one statement.

    :param failures: the classes of failures; None for all.
    :param skipped: whether to queue skipped ones too whose reason no longer holds.
    :returns: the number of queued deliveries, and of those that stay as they are, by reason.
    :raises Refused: if the message was cancelled.
    """
    # Before the deliveries: it must not be cancelled, or be done, at the same time.
    message = lock_row(session, Message, message_id)
    if message.state == CANCELLED:
        raise Refused("It was cancelled")
    wanted = _failed(message_id, failures)
    if skipped:
        wanted = or_(wanted, _skipped(message_id))
    now = utcnow()
    subscribed = Subscriber.status == SUBSCRIBED
    paused = exists().where(_SUBSCRIBER, subscribed, is_paused(Subscriber, now))
    done = session.execute(
        update(Delivery)
        .where(wanted, ~_SUPPRESSED, _SUBSCRIBED, ~paused, ~ERASED)
        .values(state=QUEUED, attempts=0, next_try_at=now, done_at=None, forgiven=False)
        .execution_options(synchronize_session=False)
    )
    queued = int(getattr(done, "rowcount", 0))
    if queued:
        message.retried_at = now
        if message.state == DONE:
            message.state = ACTIVE
        session.flush()
    return queued, _left_out(session, wanted, paused)


def _failed(message_id: int, failures: Sequence[str] | None) -> ColumnElement[bool]:
    failed = and_(Delivery.message_id == message_id, Delivery.state == FAILED)
    if failures is None:
        return failed
    failure = func.coalesce(Delivery.failure, Failure.UNKNOWN.value)
    return and_(failed, failure.in_(failures))


def _skipped(message_id: int) -> ColumnElement[bool]:
    return and_(
        Delivery.message_id == message_id,
        Delivery.state == SKIPPED,
        Delivery.last_error.in_(_RETRIED_SKIPS),
    )


def _left_out(
    session: Session, wanted: ColumnElement[bool], paused: ColumnElement[bool]
) -> dict[str, int]:
    """Return the number of deliveries that weren't queued, by reason."""
    reasons_in_order = ((ERASED, "erased"), (_SUPPRESSED, "suppressed"), (paused, "paused"))
    reason = case(*reasons_in_order, else_="unsubscribed")
    # A subquery, because PostgreSQL takes equal expressions with parameters for different ones.
    reasons = select(reason.label("reason")).where(wanted).subquery()
    numbers = select(reasons.c.reason, func.count()).group_by(reasons.c.reason)
    found = dict(NONE_LEFT_OUT)
    for name, number in session.execute(numbers):
        found[name] = number
    return found
