"""The messages of the contact form: their storage and retention."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from masthead import Notice, holders, notify, utcnow
from masthead_site.models import Message

_BATCH = 500
"""The maximum number of rows deleted in one transaction."""


def receive_message(session: Session, sent: Mapping[str, Any]) -> None:
    """Store a visitor's message, and notify the staff who may read messages.

    :param sent: the checked body by wire name.
    """
    message = Message(**{name: sent[name] for name in ("name", "email", "subject", "message")})
    session.add(message)
    session.flush()
    sender = f"{message.name} ({message.email})"
    values = {
        "subject": message.subject,
        "text": message.message,
        "name": message.name,
        "sender": sender,
    }
    notice = Notice(
        "New contact message",
        f"{sender} writes: {message.subject}",
        reply_to=message.email,
        mail="site/mails/message.txt",
        mail_values=values,
    )
    notify(session, holders("messages.read"), notice)


def deleting_messages(days: int) -> Callable[[Session], bool]:
    """Return a job's function that deletes messages after a number of days.

    :param days: 0 keeps all messages.
    """

    def run(session: Session) -> bool:
        if not days:
            return False
        cutoff = utcnow() - timedelta(days=days)
        old = select(Message.id).where(Message.created_at < cutoff).limit(_BATCH)
        found = session.scalars(old).all()
        session.execute(
            delete(Message)
            .where(Message.id.in_(found))
            .execution_options(synchronize_session=False)
        )
        return len(found) == _BATCH

    return run
