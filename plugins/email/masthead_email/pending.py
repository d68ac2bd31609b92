"""The mail that waits: queued messages, and scheduled newsletters and composed e-mails."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from masthead import utcnow
from masthead_email.composed.models import ComposedEmail
from masthead_email.newsletters.models import Newsletter
from masthead_email.outbox.models import (
    ACTIVE,
    COMPOSED,
    NEWSLETTER,
    OPEN,
    QUEUED,
    Delivery,
    Message,
)
from masthead_email.outbox.services import cancel_queued
from masthead_email.scheduling import DRAFT, SCHEDULED

_SCHEDULED_KINDS: tuple[tuple[str, type[Any]], ...] = (
    (NEWSLETTER, Newsletter),
    (COMPOSED, ComposedEmail),
)


@dataclass(frozen=True)
class PendingMail:
    """A message or a scheduled mail that wasn't sent yet."""

    time: datetime
    """The time at which it was queued, or for which it is scheduled."""
    state: str
    """``queued`` or ``scheduled``."""
    kind: str
    """A newsletter, a composed e-mail, a follow-up, a notice, or account mail."""
    recipients: str
    """The number of open deliveries; a hyphen if it isn't known yet."""
    subject: str


def pending_mail(session: Session) -> Iterator[PendingMail]:
    """Yield the queued messages, then the scheduled mail, each in order of time."""
    number = func.count(Delivery.id)
    queued = (
        select(Message.created_at, Message.kind, number, Message.subject)
        .join(Delivery, Delivery.message_id == Message.id)
        .where(Message.state == ACTIVE, Delivery.state.in_(OPEN))
        .group_by(Message.id)
        .order_by(Message.created_at, Message.id)
    )
    for created_at, kind, recipients, subject in session.execute(queued):
        yield PendingMail(created_at, QUEUED, kind, str(recipients), subject)
    for kind, model in _SCHEDULED_KINDS:
        waiting = select(model).where(model.status == SCHEDULED).order_by(model.scheduled_send_at)
        for item in session.scalars(waiting):
            assert item.scheduled_send_at is not None
            yield PendingMail(item.scheduled_send_at, SCHEDULED, kind, "-", item.subject)


def cancel_pending(session: Session) -> int:
    """Cancel the queued messages, and make scheduled mail whose time has passed a draft.

    :returns: the number of messages and scheduled mails.
    """
    now = utcnow()
    cancelled = cancel_queued(session)
    for _, model in _SCHEDULED_KINDS:
        due = update(model).where(model.status == SCHEDULED, model.scheduled_send_at <= now)
        values = {"status": DRAFT, "revision": model.revision + 1, "updated_at": now}
        done: Any = session.execute(due.values(values).execution_options(synchronize_session=False))
        cancelled += done.rowcount
    return cancelled
