"""Moments at which mails are sent: which ones can be chosen, and which are too long ago."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import inspect
from sqlalchemy.orm import Session

from masthead import Invalid, Notice, holders, instance_of, notify, utcnow
from masthead_email.settings import LATE_HOURS

DRAFT: Final = "draft"
SCHEDULED: Final = "scheduled"
SENT: Final = "sent"
STATUSES = (DRAFT, SCHEDULED, SENT)
"""What a mail that staff write is: not to be sent yet, to be sent at its moment, or sent."""


def check_moment(moment: datetime | None) -> None:
    """Refuse a moment that has passed.

    :raises Invalid: for one that has.
    """
    if moment is not None and moment <= utcnow():
        raise Invalid("scheduled_send_at: Must be in the future")


def moment_changed(item: Any) -> bool:
    """Whether an item that isn't flushed yet has another moment than it had."""
    return bool(inspect(item).attrs.scheduled_send_at.history.has_changes())


def latest(session: Session) -> datetime:
    """The moment before which what hasn't been sent is too late now."""
    return utcnow() - timedelta(hours=instance_of(session).settings[LATE_HOURS])


def tell_staff(
    session: Session, title: str, message: str, newsletter_id: int | None = None
) -> None:
    """Tell who may send mails what became of one that they had scheduled.

    :param newsletter_id: where it is a newsletter.
    """
    kind = "newsletters" if newsletter_id is not None else None
    notice = Notice(title, message, content_type=kind, content_id=newsletter_id)
    notify(session, holders("email.write"), notice)
