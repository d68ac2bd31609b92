"""What visitors write through the contact form, and how long it is kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from masthead import Notice, holders, notify, utcnow
from masthead_site.models import Message

_PORTION = 500
"""Rows deleted in one transaction."""


def receive_message(session: Session, sent: Mapping[str, Any]) -> None:
    """Store a visitor's message, and tell the staff who read messages.

    :param sent: the checked body by wire name.
    """
    message = Message(**{name: sent[name] for name in ("name", "email", "subject", "message")})
    session.add(message)
    session.flush()
    said = f"{message.name} ({message.email}) writes: {message.subject}"
    notice = Notice("New contact message", said, reply_to=message.email)
    notify(session, holders("messages.read"), notice)


def deleting_messages(days: int) -> Callable[[Session], bool]:
    """Work that deletes what was received so many days ago.

    :param days: 0 keeps everything for ever.
    """

    def run(session: Session) -> bool:
        if not days:
            return False
        oldest = utcnow() - timedelta(days=days)
        old = select(Message.id).where(Message.created_at < oldest).limit(_PORTION)
        found = session.scalars(old).all()
        session.execute(
            delete(Message)
            .where(Message.id.in_(found))
            .execution_options(synchronize_session=False)
        )
        return len(found) == _PORTION

    return run
