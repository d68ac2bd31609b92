"""Sending newsletters: now, or once their time has come."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Select, or_, select
from sqlalchemy.orm import Session

from masthead import (
    Instance,
    NotFound,
    Refused,
    Timestamp,
    record,
    utcnow,
)
from masthead_email.newsletters.models import Newsletter
from masthead_email.newsletters.resource import APPROVED, NEWSLETTERS
from masthead_email.outbox.messages import fan_out, store_rendered
from masthead_email.outbox.models import NEWSLETTER
from masthead_email.preparing import check_unchanged, is_unchanged, prepare, read_snapshot
from masthead_email.rendering.rendered_message import RenderedMessage
from masthead_email.scheduling import DRAFT, SCHEDULED, SENT, check_moment, latest, tell_staff
from masthead_email.subscribers.models import SUBSCRIBED, Subscriber

UNAPPROVED: Final = "Newsletter must be approved before sending"
ALREADY: Final = "Newsletter was sent already"


def lock_newsletter(session: Session, newsletter_id: int) -> Newsletter:
    """A newsletter, read afresh and locked until the transaction ends.

    :raises NotFound: where there is none.
    """
    found = session.get(Newsletter, newsletter_id, with_for_update=True, populate_existing=True)
    if found is None:
        raise NotFound
    return found


def send(session: Session, newsletter_id: int, actor_id: int) -> int:
    """Send a newsletter now; returns to how many.

    :raises NotFound: where there is none.
    :raises Refused: where it was sent already, isn't approved, or is changed at this moment.
    """
    snapshot = read_snapshot(session, Newsletter, newsletter_id)
    check_sendable(snapshot)
    mail = prepare(session, snapshot, unsubscribe=True)
    newsletter = lock_newsletter(session, newsletter_id)
    check_sendable(newsletter)
    check_unchanged(newsletter, snapshot)
    return _send(session, newsletter, mail, actor_id)


def schedule(
    session: Session, newsletter_id: int, moment: datetime | None, actor_id: int
) -> Newsletter:
    """Send a newsletter at another time, or make it a draft again where there is none.

    :raises NotFound: where there is none.
    :raises Invalid: for a time that has passed.
    :raises Refused: where it was sent already, or isn't approved.
    """
    newsletter = lock_newsletter(session, newsletter_id)
    if moment is None and newsletter.status != SENT:
        newsletter.status = DRAFT
    else:
        check_sendable(newsletter)
        check_moment(moment)
        newsletter.status = SCHEDULED
    newsletter.scheduled_send_at = moment
    newsletter.revision += 1
    newsletter.updated_at = utcnow()
    NEWSLETTERS.flush(session, [newsletter])
    when = Timestamp().dump(moment) if moment else None
    _record(session, "newsletter.schedule", newsletter, actor_id, at=when)
    return newsletter


def check_sendable(newsletter: Newsletter) -> None:
    """Refuse to send what was sent, or isn't approved.

    :raises Refused: where it can't be sent.
    """
    if newsletter.status == SENT:
        raise Refused(ALREADY)
    if newsletter.approval_status != APPROVED:
        raise Refused(UNAPPROVED)


def send_due(instance: Instance, _may_go_on: Callable[[], bool]) -> bool:
    """Decide on one newsletter whose time has come; returns whether there was one."""
    with instance.database.session(read_only=True) as session:
        snapshot = session.scalars(_due(session)).one_or_none()
    if snapshot is None:
        return False
    mail = prepare(session, snapshot, unsubscribe=True)
    with instance.database.transaction() as session:
        due = _due(session).where(Newsletter.id == snapshot.id).with_for_update()
        newsletter = session.scalars(due).one_or_none()
        # What was changed meanwhile is looked at again.
        if newsletter is not None and is_unchanged(newsletter, snapshot):
            _decide(session, newsletter, mail)
    return True


def _due(session: Session) -> Select[Newsletter]:
    """The newsletter on which to decide next."""
    return (
        select(Newsletter)
        .where(
            Newsletter.status == SCHEDULED,
            Newsletter.scheduled_send_at <= utcnow(),
            or_(
                Newsletter.approval_status == APPROVED,
                Newsletter.held_at.is_(None),
                Newsletter.scheduled_send_at < latest(session),
            ),
        )
        .order_by(Newsletter.scheduled_send_at, Newsletter.id)
        .limit(1)
    )


def _decide(session: Session, newsletter: Newsletter, mail: RenderedMessage) -> None:
    assert newsletter.scheduled_send_at is not None
    if newsletter.scheduled_send_at < latest(session):
        _give_up(session, newsletter)
    elif newsletter.approval_status != APPROVED:
        _hold(session, newsletter)
    else:
        _send(session, newsletter, mail, None)


def _send(
    session: Session, newsletter: Newsletter, mail: RenderedMessage, actor_id: int | None
) -> int:
    """Queue a locked newsletter for who is subscribed at this moment."""
    message = store_rendered(
        session,
        mail,
        kind=NEWSLETTER,
        source_id=newsletter.id,
        subject=newsletter.subject,
        unsubscribe=True,
    )
    subscribed: Any = select(Subscriber.email, Subscriber.name, Subscriber.id).where(
        Subscriber.status == SUBSCRIBED
    )
    number = fan_out(session, message, subscribed)
    newsletter.status = SENT
    newsletter.sent_at = newsletter.updated_at = utcnow()
    newsletter.revision += 1
    session.flush()
    _record(session, "newsletter.send", newsletter, actor_id, sentTo=number)
    return number


def _give_up(session: Session, newsletter: Newsletter) -> None:
    newsletter.status = DRAFT
    newsletter.updated_at = utcnow()
    newsletter.revision += 1
    session.flush()
    tell_staff(
        session,
        "Newsletter not sent",
        f"{newsletter.title} was not sent in time, so it is a draft again.",
        newsletter.id,
    )
    _record(session, "newsletter.expire", newsletter, None)


def _hold(session: Session, newsletter: Newsletter) -> None:
    newsletter.held_at = utcnow()
    session.flush()
    tell_staff(
        session,
        "Newsletter not sent",
        f"{newsletter.title} should be sent now, but it isn't approved any more.",
        newsletter.id,
    )


def _record(
    session: Session, action: str, newsletter: Newsletter, actor_id: int | None, **detail: object
) -> None:
    record(
        session,
        action,
        actor_id,
        content_type=NEWSLETTERS.name,
        content_id=newsletter.id,
        title=newsletter.title,
        **detail,
    )
