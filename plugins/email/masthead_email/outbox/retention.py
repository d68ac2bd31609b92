"""Retention: who got which mail is kept for a while, then only how many did."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

from sqlalchemy import and_, delete, or_, select, update
from sqlalchemy.orm import Session

from masthead import Instance, Job, utcnow
from masthead_email.outbox.models import (
    CANCELLED,
    DONE,
    QUEUED,
    SENDING,
    SKIPPED,
    Delivery,
    Message,
)
from masthead_email.settings import RETENTION

_EVERY = timedelta(hours=6)
_PORTION = 500
"""Rows that one transaction deletes."""


def retention_jobs(instance: Instance) -> list[Job]:
    """The jobs that keep the outbox from growing for ever, and decide what nobody will send."""
    days = instance.settings[RETENTION]

    def run(session: Session) -> bool:
        _decide_cancelled(session)
        return bool(days) and _count_old(session, timedelta(days=days))

    return [Job("email.retention", _EVERY, run)]


def _decide_cancelled(session: Session) -> None:
    """Skip what was cancelled while it was on its way, and has come to nothing since.

    Its worker died, or queued it again just before the cancellation could be seen.
    """
    cancelled = select(Message.id).where(Message.state == CANCELLED)
    session.execute(
        update(Delivery)
        .where(
            Delivery.message_id.in_(cancelled),
            or_(
                Delivery.state == QUEUED,
                and_(Delivery.state == SENDING, Delivery.next_try_at < utcnow()),
            ),
        )
        .values(state=SKIPPED, last_error="Cancelled", done_at=utcnow())
        .execution_options(synchronize_session=False)
    )


def _count_old(session: Session, age: timedelta) -> bool:
    """Put a portion of old deliveries into the totals of their message, and delete them."""
    old = Message.created_at < utcnow() - age
    over = Message.state.in_((DONE, CANCELLED))
    rows = (
        select(Delivery.id, Delivery.message_id, Delivery.state)
        .join(Message, Message.id == Delivery.message_id)
        .where(old, over)
        .order_by(Delivery.message_id)
        .limit(_PORTION)
    )
    found = session.execute(rows).all()
    for message in session.scalars(
        select(Message).where(Message.id.in_({row.message_id for row in found}))
    ):
        gone = Counter(row.state for row in found if row.message_id == message.id)
        message.totals = dict(gone + Counter(message.totals or {}))
    session.execute(
        delete(Delivery)
        .where(Delivery.id.in_([row.id for row in found]))
        .execution_options(synchronize_session=False)
    )
    return len(found) == _PORTION
