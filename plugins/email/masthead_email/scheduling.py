"""The scheduled times of mails: which can be set, and when an unsent mail is too late."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import inspect
from sqlalchemy.orm import Session

from masthead import Invalid, Notice, holders, instance_of, notify, utcnow
from masthead_email.permissions import ADDRESSES, WRITE
from masthead_email.settings import LATE_HOURS

DRAFT: Final = "draft"
SCHEDULED: Final = "scheduled"
SENT: Final = "sent"
STATUSES = (DRAFT, SCHEDULED, SENT)
"""The statuses of a newsletter or a composed e-mail."""


def check_time(time: datetime | None) -> None:
    """Refuse a scheduled time that isn't in the future.

    :raises Invalid: if it has passed.
    """
    if time is not None and time <= utcnow():
        raise Invalid("scheduled_send_at: Must be in the future")


def time_changed(item: Any) -> bool:
    """Whether the scheduled time of an item differs from the stored one."""
    return bool(inspect(item).attrs.scheduled_send_at.history.has_changes())


def late_limit(session: Session) -> datetime:
    """Return the scheduled time before which an unsent mail is too late."""
    return utcnow() - timedelta(hours=instance_of(session).settings[LATE_HOURS])


def notify_staff(
    session: Session, title: str, message: str, newsletter_id: int | None = None
) -> None:
    """Notify the users who may read and send a scheduled mail that it wasn't sent.

    :param newsletter_id: the id of the mail if it is a newsletter.
    """
    content_type = "newsletters" if newsletter_id is not None else None
    needed = (WRITE,) if newsletter_id is not None else (WRITE, ADDRESSES)
    notice = Notice(title, message, content_type=content_type, content_id=newsletter_id)
    notify(session, holders(*needed), notice)
