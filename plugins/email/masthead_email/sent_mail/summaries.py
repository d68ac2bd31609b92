"""Telling staff once when many deliveries of a newsletter have failed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from masthead import Job, Notice, holders, notify, utcnow
from masthead_email.outbox.models import FAILED, NEWSLETTER, SENT, Message, Suppression
from masthead_email.outbox.reports import failures_by_class
from masthead_email.outbox.services import counts
from masthead_email.permissions import WRITE

_INTERVAL = timedelta(hours=1)
_AGE = timedelta(hours=26)
"""The age at which a newsletter is summarised: by default the last retry follows after a day."""
_MIN_FAILED = 5
_MIN_SHARE = 0.02
"""The number and the share of failed deliveries from which staff are told."""
_BATCH_SIZE = 20
"""The maximum number of newsletters that one transaction summarises."""


def summary_jobs() -> list[Job]:
    """Return the job that summarises newsletters that were sent the day before."""
    return [Job("email.summaries", _INTERVAL, summarize)]


def summarize(session: Session) -> bool:
    """Summarise some newsletters; return whether there may be more."""
    messages = session.scalars(_due()).all()
    numbers = counts(session, [message.id for message in messages])
    for message in messages:
        message.summarized = True
        states = numbers[message.id]
        attempted = states[SENT] + states[FAILED]
        if states[FAILED] >= max(_MIN_FAILED, attempted * _MIN_SHARE):
            _notify(session, message, states)
    return len(messages) == _BATCH_SIZE


def _due() -> Select[Message]:
    return (
        select(Message)
        .where(
            Message.kind == NEWSLETTER,
            Message.source_id.is_not(None),
            Message.summarized.is_(False),
            Message.created_at <= utcnow() - _AGE,
        )
        .order_by(Message.id)
        .limit(_BATCH_SIZE)
        .with_for_update()
    )


def _notify(session: Session, message: Message, states: Mapping[str, int]) -> None:
    classes = failures_by_class(session, message.id)
    causes = [(name, number) for name, number in classes.items() if number]
    named = ", ".join(f"{name} {number}" for name, number in causes)
    suppressed = session.scalar(
        select(func.count()).select_from(Suppression).where(Suppression.message_id == message.id)
    )
    notice = Notice(
        title=f"Many failed deliveries: {message.subject}"[:200],
        message=f"{states[SENT]} sent, {states[FAILED]} failed ({named})."
        f" Newly suppressed addresses: {suppressed}.",
        content_type="newsletters",
        content_id=message.source_id,
        mail="email/mails/failed-deliveries.txt",
        mail_values={
            "mail": message.subject,
            "sent": states[SENT],
            "failed": states[FAILED],
            "suppressed": suppressed,
            "causes": causes,
        },
    )
    notify(session, holders(WRITE), notice)
