"""Sending newsletters: now, or at their scheduled time."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Select, or_, select
from sqlalchemy.orm import Session

from masthead import Instance, Refused, Timestamp, instance_of, lock_row, record, utcnow
from masthead_email.letters import other_names
from masthead_email.newsletters.archive import show_change
from masthead_email.newsletters.audience import count_paused, in_audience
from masthead_email.newsletters.models import Newsletter
from masthead_email.newsletters.public_letter import archive_values
from masthead_email.newsletters.resource import APPROVED, NEWSLETTERS
from masthead_email.newsletters.tracked_links import track_links
from masthead_email.outbox.messages import fan_out, store_rendered
from masthead_email.outbox.models import NEWSLETTER
from masthead_email.outbox.reports import ON_PAUSE, SUPPRESSED, skips_by_reason
from masthead_email.preparing import check_unchanged, is_unchanged, prepare, read_snapshot
from masthead_email.rendering.rendered_message import RenderedMessage
from masthead_email.scheduling import (
    DRAFT,
    SCHEDULED,
    SENT,
    check_time,
    late_limit,
    notify_staff,
)
from masthead_email.subscribers.models import Subscriber

UNAPPROVED: Final = "Newsletter must be approved before sending"
ALREADY_SENT: Final = "Newsletter was sent already"


def send(session: Session, newsletter_id: int, actor_id: int) -> dict[str, Any]:
    """Send a newsletter now; return how many get it (``sentTo``), and how many are left out.

    :raises NotFound: if it doesn't exist.
    :raises Refused: if it was sent before, isn't approved, or changes meanwhile.
    """
    snapshot = read_snapshot(session, Newsletter, newsletter_id)
    check_sendable(snapshot)
    mail = prepare(session, snapshot, unsubscribe=True)
    newsletter = lock_row(session, Newsletter, newsletter_id)
    check_sendable(newsletter)
    check_unchanged(newsletter, snapshot)
    return _send(session, newsletter, mail, actor_id)


def schedule(
    session: Session, newsletter_id: int, time: datetime | None, actor_id: int
) -> Newsletter:
    """Schedule a newsletter, or move its time; without a time, make it a draft again.

    :raises NotFound: if it doesn't exist.
    :raises Invalid: if the time has passed.
    :raises Refused: if the newsletter was sent before, or isn't approved.
    """
    newsletter = lock_row(session, Newsletter, newsletter_id)
    if time is None and newsletter.status != SENT:
        newsletter.status = DRAFT
    else:
        check_sendable(newsletter)
        check_time(time)
        newsletter.status = SCHEDULED
    newsletter.scheduled_send_at = time
    newsletter.revision += 1
    newsletter.updated_at = utcnow()
    NEWSLETTERS.flush(session, [newsletter])
    record(
        session,
        "newsletter.schedule",
        actor_id,
        NEWSLETTERS.name,
        newsletter,
        title=newsletter.title,
        at=Timestamp().dump(time) if time else None,
    )
    return newsletter


def check_sendable(newsletter: Newsletter) -> None:
    """Refuse to send a newsletter that was sent before or isn't approved.

    :raises Refused: if it can't be sent.
    """
    if newsletter.status == SENT:
        raise Refused(ALREADY_SENT)
    if newsletter.approval_status != APPROVED:
        raise Refused(UNAPPROVED)


def is_any_due(instance: Instance) -> bool:
    """Whether the time of a newsletter has come."""
    with instance.database.session(read_only=True) as session:
        return session.scalar(_due(session).with_only_columns(Newsletter.id)) is not None


def send_due(instance: Instance, _may_go_on: Callable[[], bool]) -> bool:
    """Process one newsletter whose time has come; return whether there was one."""
    with instance.database.session(read_only=True) as session:
        snapshot = session.scalars(_due(session)).one_or_none()
    if snapshot is None:
        return False
    mail = prepare(session, snapshot, unsubscribe=True)
    with instance.database.transaction() as session:
        due = _due(session).where(Newsletter.id == snapshot.id).with_for_update()
        newsletter = session.scalars(due).one_or_none()
        # An item that has changed since the snapshot is rendered again by the next call.
        if newsletter is not None and is_unchanged(newsletter, snapshot):
            _process_due(session, newsletter, mail)
    return True


def _due(session: Session) -> Select[Newsletter]:
    """Return a query of the scheduled newsletter to process next."""
    return (
        select(Newsletter)
        .where(
            Newsletter.status == SCHEDULED,
            Newsletter.scheduled_send_at <= utcnow(),
            or_(
                Newsletter.approval_status == APPROVED,
                Newsletter.held_at.is_(None),
                Newsletter.scheduled_send_at < late_limit(session),
            ),
        )
        .order_by(Newsletter.scheduled_send_at, Newsletter.id)
        .limit(1)
    )


def _process_due(session: Session, newsletter: Newsletter, mail: RenderedMessage) -> None:
    assert newsletter.scheduled_send_at is not None
    if newsletter.scheduled_send_at < late_limit(session):
        _expire(session, newsletter)
    elif newsletter.approval_status != APPROVED:
        _hold(session, newsletter)
    else:
        _send(session, newsletter, mail, None)


def _send(
    session: Session, newsletter: Newsletter, mail: RenderedMessage, actor_id: int | None
) -> dict[str, Any]:
    """Queue a locked newsletter for its current audience."""
    mail, newsletter.tracked_links = track_links(instance_of(session), mail, newsletter.id)
    message = store_rendered(
        session,
        mail,
        kind=NEWSLETTER,
        source_id=newsletter.id,
        subject=newsletter.subject,
        unsubscribe=True,
        values=archive_values(session, newsletter),
    )
    columns: list[Any] = [Subscriber.email, Subscriber.name, Subscriber.id]
    if other_names(newsletter):
        columns.append(Subscriber.fields)
    subscribed: Any = select(*columns).where(*in_audience(session, newsletter))
    number = fan_out(session, message, subscribed)
    left_out = {
        SUPPRESSED: skips_by_reason(session, message.id)[SUPPRESSED],
        ON_PAUSE: count_paused(session, newsletter),
    }
    show_change(session, newsletter)
    newsletter.status = SENT
    newsletter.sent_at = newsletter.updated_at = utcnow()
    newsletter.revision += 1
    session.flush()
    record(
        session,
        "newsletter.send",
        actor_id,
        NEWSLETTERS.name,
        newsletter,
        title=newsletter.title,
        sentTo=number,
        **{reason: each for reason, each in left_out.items() if each},
    )
    return {"sentTo": number, "leftOut": left_out}


def _expire(session: Session, newsletter: Newsletter) -> None:
    """Make a scheduled newsletter that is too late a draft again."""
    newsletter.status = DRAFT
    newsletter.updated_at = utcnow()
    newsletter.revision += 1
    session.flush()
    title = newsletter.title
    notify_staff(session, title, newsletter.scheduled_send_at, newsletter.id, late=True)
    record(session, "newsletter.expire", None, NEWSLETTERS.name, newsletter, title=title)


def _hold(session: Session, newsletter: Newsletter) -> None:
    """Keep a newsletter scheduled that is no longer approved, and notify staff once."""
    newsletter.held_at = utcnow()
    session.flush()
    due = newsletter.scheduled_send_at
    notify_staff(session, newsletter.title, due, newsletter.id, late=False)
