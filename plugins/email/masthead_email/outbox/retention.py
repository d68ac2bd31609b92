"""Retention: replaces old delivery records by totals."""

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
    SKIPPED_CANCELLED,
    Delivery,
    Message,
)
from masthead_email.settings import RETENTION

_INTERVAL = timedelta(hours=6)
_BATCH_SIZE = 500
"""The maximum number of rows that one transaction deletes."""


def retention_jobs(instance: Instance) -> list[Job]:
    """Return the job that removes old deliveries and skips those of cancelled messages."""
    days = instance.settings[RETENTION]

    def run(session: Session) -> bool:
        _skip_cancelled(session)
        return bool(days) and _replace_by_totals(session, timedelta(days=days))

    return [Job("email.retention", _INTERVAL, run)]


def _skip_cancelled(session: Session) -> None:
    """Skip deliveries that are still open although their message is cancelled.

    Their worker was killed, or requeued them concurrently with the cancellation.
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
        .values(state=SKIPPED, last_error=SKIPPED_CANCELLED, done_at=utcnow())
        .execution_options(synchronize_session=False)
    )


def _replace_by_totals(session: Session, age: timedelta) -> bool:
    """Add a batch of old deliveries to the totals of their messages, and delete them."""
    old = Message.created_at < utcnow() - age
    finished = Message.state.in_((DONE, CANCELLED))
    rows = (
        select(Delivery.id, Delivery.message_id, Delivery.state)
        .join(Message, Message.id == Delivery.message_id)
        .where(old, finished)
        .order_by(Delivery.message_id)
        .limit(_BATCH_SIZE)
    )
    found = session.execute(rows).all()
    for message in session.scalars(
        select(Message).where(Message.id.in_({row.message_id for row in found}))
    ):
        deleted = Counter(row.state for row in found if row.message_id == message.id)
        message.totals = dict(deleted + Counter(message.totals or {}))
    session.execute(
        delete(Delivery)
        .where(Delivery.id.in_([row.id for row in found]))
        .execution_options(synchronize_session=False)
    )
    return len(found) == _BATCH_SIZE
