"""The mail that waits: queued messages, and scheduled newsletters and composed e-mails."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import func, literal, select, union_all, update
from sqlalchemy.orm import Session

from masthead import utcnow
from masthead_email.composed.models import ComposedEmail
from masthead_email.newsletters.models import Newsletter
from masthead_email.outbox.models import (
    COMPOSED,
    NEWSLETTER,
    OPEN,
    QUEUED,
    Delivery,
    Message,
)
from masthead_email.outbox.services import WAITING, cancel_waiting
from masthead_email.rendering.placeholders import parse_header
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
    """Yield the messages that resuming sends, then the scheduled mail, each in order of time."""
    unsent = (
        select(func.min(Delivery.id).label("first_id"), func.count().label("number"))
        .join(Message, Message.id == Delivery.message_id)
        .where(WAITING, Delivery.state.in_(OPEN))
        .group_by(Message.id)
        .subquery()
    )
    queued = (
        select(Message.created_at, Message.kind, unsent.c.number, Message.subject, Delivery.values)
        .join(Delivery, Delivery.message_id == Message.id)
        .join(unsent, unsent.c.first_id == Delivery.id)
        .order_by(Message.created_at, Message.id)
    )
    for created_at, kind, number, subject, values in session.execute(queued):
        # The subject of a notice is a placeholder.
        yield PendingMail(
            created_at, QUEUED, kind, str(number), parse_header(subject).filled(values or {})
        )
    scheduled = union_all(
        *(
            select(model.scheduled_send_at.label("time"), literal(kind), model.subject).where(
                model.status == SCHEDULED
            )
            for kind, model in _SCHEDULED_KINDS
        )
    )
    for time, kind, subject in session.execute(scheduled.order_by("time")):
        yield PendingMail(time, SCHEDULED, kind, "-", subject)


def cancel_pending(session: Session) -> int:
    """Cancel the waiting messages, and make scheduled mail whose time has passed a draft.

    :returns: the number of messages and scheduled mails.
    """
    now = utcnow()
    cancelled = cancel_waiting(session)
    for _, model in _SCHEDULED_KINDS:
        due = update(model).where(model.status == SCHEDULED, model.scheduled_send_at <= now)
        values = {"status": DRAFT, "revision": model.revision + 1, "updated_at": now}
        done: Any = session.execute(due.values(values).execution_options(synchronize_session=False))
        cancelled += done.rowcount
    return cancelled
