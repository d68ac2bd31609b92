"""Sending composed e-mails: now, or at their scheduled time."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from sqlalchemy import Select, Text, cast, select
from sqlalchemy.orm import Session

from masthead import Instance, PersonData, Refused, delete_items, lock_row, record, utcnow
from masthead_email.composed.models import ComposedEmail
from masthead_email.composed.resource import COMPOSED_EMAILS
from masthead_email.letters import has_unsubscribe_link
from masthead_email.outbox.messages import Addressee, add_recipients, store_rendered
from masthead_email.outbox.models import COMPOSED
from masthead_email.outbox.reports import ON_PAUSE, SUPPRESSED, skips_by_reason
from masthead_email.preparing import check_unchanged, is_unchanged, prepare, read_snapshot
from masthead_email.rendering.rendered_message import RenderedMessage
from masthead_email.scheduling import DRAFT, SCHEDULED, SENT, late_limit, notify_staff
from masthead_email.subscribers.models import SUBSCRIBED, Subscriber, active_pause


def send(session: Session, email_id: int, actor_id: int) -> dict[str, Any]:
    """Send a composed e-mail now; return how many get it (``sentTo``), and how many are left out.

    :raises NotFound: if it doesn't exist.
    :raises Refused: if it was sent before, or changes meanwhile.
    """
    snapshot = read_snapshot(session, ComposedEmail, email_id)
    _check_unsent(snapshot)
    mail = prepare(session, snapshot, unsubscribe=False)
    email = lock_row(session, ComposedEmail, email_id)
    _check_unsent(email)
    check_unchanged(email, snapshot)
    return _send(session, email, mail, actor_id)


def is_any_due(instance: Instance) -> bool:
    """Whether the time of a composed e-mail has come."""
    with instance.database.session(read_only=True) as session:
        return session.scalar(_due().with_only_columns(ComposedEmail.id)) is not None


def send_due(instance: Instance, _may_go_on: Callable[[], bool]) -> bool:
    """Process one composed e-mail whose time has come; return whether there was one."""
    with instance.database.session(read_only=True) as session:
        snapshot = session.scalars(_due()).one_or_none()
    if snapshot is None:
        return False
    mail = prepare(session, snapshot, unsubscribe=False)
    with instance.database.transaction() as session:
        due = _due().where(ComposedEmail.id == snapshot.id).with_for_update()
        email = session.scalars(due).one_or_none()
        # An item that has changed since the snapshot is rendered again by the next call.
        if email is not None and is_unchanged(email, snapshot):
            _process_due(session, email, mail)
    return True


def person_data(session: Session, address: str) -> list[PersonData]:
    """Return the e-mails to an address, without their other recipients."""
    shown = COMPOSED_EMAILS.answer(detail=True)
    own = [
        {**COMPOSED_EMAILS.values(email, detail=True), "recipient_emails": [address]}
        for email in _addressed_to(session.scalars(_candidates(address)), address)
    ]
    data = [shown.dump(values) for values in own]
    return [PersonData(COMPOSED_EMAILS.name, COMPOSED_EMAILS.read_permission, data)]


def forget_person(session: Session, address: str) -> None:
    """Remove an address from all e-mails; delete unsent ones that have no other recipient."""
    rows = _candidates(address).with_for_update().execution_options(populate_existing=True)
    emails = _addressed_to(session.scalars(rows), address)
    for email in emails:
        email.recipient_emails = [each for each in email.recipient_emails if each != address]
        email.updated_at = utcnow()
        email.revision += 1
    left = [each for each in emails if not each.recipient_emails and each.status != SENT]
    delete_items(session, COMPOSED_EMAILS, left, None)


def _due() -> Select[ComposedEmail]:
    """Return a query of the scheduled e-mail to process next."""
    return (
        select(ComposedEmail)
        .where(ComposedEmail.status == SCHEDULED, ComposedEmail.scheduled_send_at <= utcnow())
        .order_by(ComposedEmail.scheduled_send_at, ComposedEmail.id)
        .limit(1)
    )


def _candidates(address: str) -> Select[ComposedEmail]:
    """Return a query of all e-mails to an address, and possibly of others."""
    # The stored JSON contains each recipient in quotes.
    contained = cast(ComposedEmail.recipient_emails, Text).contains(
        json.dumps(address), autoescape=True
    )
    return select(ComposedEmail).where(contained).order_by(ComposedEmail.id)


def _addressed_to(emails: Iterable[ComposedEmail], address: str) -> list[ComposedEmail]:
    return [email for email in emails if address in email.recipient_emails]


def _check_unsent(email: ComposedEmail) -> None:
    if email.status == SENT:
        raise Refused("Email was sent already")


def _process_due(session: Session, email: ComposedEmail, mail: RenderedMessage) -> None:
    assert email.scheduled_send_at is not None
    if email.scheduled_send_at < late_limit(session):
        _expire(session, email)
    else:
        _send(session, email, mail, None)


def _send(
    session: Session, email: ComposedEmail, mail: RenderedMessage, actor_id: int | None
) -> dict[str, Any]:
    unsubscribe = has_unsubscribe_link(mail.html, mail.text)
    message = store_rendered(
        session,
        mail,
        kind=COMPOSED,
        source_id=email.id,
        subject=email.subject,
        unsubscribe=unsubscribe,
    )
    addressees, paused = _addressees(session, email.recipient_emails, gated=unsubscribe)
    number = add_recipients(session, message, addressees)
    suppressed = skips_by_reason(session, message.id)[SUPPRESSED]
    left_out = {SUPPRESSED: suppressed, ON_PAUSE: paused}
    email.status = SENT
    email.sent_at = email.updated_at = utcnow()
    email.revision += 1
    session.flush()
    record(
        session,
        "email.send",
        actor_id,
        COMPOSED_EMAILS.name,
        email,
        title=title_of(email),
        sentTo=number,
        **{reason: each for reason, each in left_out.items() if each},
    )
    return {"sentTo": number, "leftOut": left_out}


def _addressees(
    session: Session, addresses: Sequence[str], *, gated: bool
) -> tuple[list[Addressee], int]:
    """Return the recipients, with the names and fields of those who are subscribers.

    :param gated: whether it isn't sent to those who have unsubscribed, and to those who pause.
    :returns: also the number of those who pause.
    """
    found = session.scalars(select(Subscriber).where(Subscriber.email.in_(addresses)))
    known = {subscriber.email: subscriber for subscriber in found}
    now = utcnow()
    paused = {
        subscriber.email
        for subscriber in known.values()
        if gated and subscriber.status == SUBSCRIBED and active_pause(subscriber, now)
    }
    reached = [address for address in addresses if address not in paused]
    return [_addressee(each, known.get(each), gated=gated) for each in reached], len(paused)


def _addressee(address: str, subscriber: Subscriber | None, *, gated: bool) -> Addressee:
    if subscriber is None:
        return Addressee(address)
    # An unanswered confirmation request is no unsubscription.
    counts = gated and (subscriber.status == SUBSCRIBED or subscriber.unsubscribed_at is not None)
    subscriber_id = subscriber.id if counts else None
    return Addressee(address, subscriber.name, subscriber_id, subscriber.fields)


def _expire(session: Session, email: ComposedEmail) -> None:
    """Make a scheduled e-mail that is too late a draft again."""
    email.status = DRAFT
    email.updated_at = utcnow()
    email.revision += 1
    session.flush()
    notify_staff(session, title_of(email), email.scheduled_send_at, late=True)
    record(session, "email.expire", None, COMPOSED_EMAILS.name, email, title=title_of(email))


def title_of(email: ComposedEmail) -> str:
    """Return the title of an e-mail, or its subject."""
    return email.title or email.subject
