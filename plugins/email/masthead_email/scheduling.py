"""The scheduled times of mails: which can be set, and when an unsent mail is too late."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import inspect
from sqlalchemy.orm import Session

from masthead import Notice, ProblemCode, holders, instance_of, notify, utcnow, wrong_field
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
        raise wrong_field("scheduled_send_at", ProblemCode.OUT_OF_RANGE, "Must be in the future")


def time_changed(item: Any) -> bool:
    """Whether the scheduled time of an item differs from the stored one."""
    return bool(inspect(item).attrs.scheduled_send_at.history.has_changes())


def late_limit(session: Session) -> datetime:
    """Return the scheduled time before which an unsent mail is too late."""
    return utcnow() - timedelta(hours=instance_of(session).settings[LATE_HOURS])


def notify_staff(
    session: Session,
    title: str,
    due: datetime | None,
    newsletter_id: int | None = None,
    *,
    late: bool,
) -> None:
    """Notify the users who may read and send a scheduled mail that it wasn't sent.

    :param title: its title.
    :param due: the time at which it should have been sent.
    :param newsletter_id: its id if it is a newsletter.
    :param late: whether it is too late; otherwise it isn't approved any more.
    """
    newsletter = newsletter_id is not None
    reason = (
        f"{title} was not sent in time, so it is a draft again."
        if late
        else f"{title} should be sent now, but it isn't approved any more."
    )
    notice = Notice(
        "Newsletter not sent" if newsletter else "Email not sent",
        reason,
        content_type="newsletters" if newsletter else None,
        content_id=newsletter_id,
        mail="email/mails/not-sent.txt",
        mail_values={"title": title, "due": due, "newsletter": newsletter, "late": late},
    )
    notify(session, holders(*((WRITE,) if newsletter else (WRITE, ADDRESSES))), notice)
