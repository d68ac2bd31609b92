"""Sending composed e-mails: now, or once their time has come."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable

from sqlalchemy import Select, Text, cast, select
from sqlalchemy.orm import Session

from masthead import (
    Instance,
    NotFound,
    PersonData,
    Refused,
    record,
    utcnow,
)
from masthead_email.composed.models import ComposedEmail
from masthead_email.composed.resource import COMPOSED_EMAILS
from masthead_email.outbox.messages import add_recipients, store_rendered
from masthead_email.outbox.models import COMPOSED
from masthead_email.preparing import check_unchanged, is_unchanged, prepare, read_snapshot
from masthead_email.rendering.rendered_message import RenderedMessage
from masthead_email.scheduling import DRAFT, SCHEDULED, SENT, latest, tell_staff


def send(session: Session, email_id: int, actor_id: int) -> None:
    """Send a composed e-mail now.

    :raises NotFound: where there is none.
    :raises Refused: where it was sent already, or is changed at this moment.
    """
    snapshot = read_snapshot(session, ComposedEmail, email_id)
    _check_unsent(snapshot)
    mail = prepare(session, snapshot, unsubscribe=False)
    email = session.get(ComposedEmail, email_id, with_for_update=True, populate_existing=True)
    if email is None:
        raise NotFound
    _check_unsent(email)
    check_unchanged(email, snapshot)
    _send(session, email, mail, actor_id)


def send_due(instance: Instance, _may_go_on: Callable[[], bool]) -> bool:
    """Decide on one composed e-mail whose time has come; returns whether there was one."""
    with instance.database.session(read_only=True) as session:
        snapshot = session.scalars(_due()).one_or_none()
    if snapshot is None:
        return False
    mail = prepare(session, snapshot, unsubscribe=False)
    with instance.database.transaction() as session:
        due = _due().where(ComposedEmail.id == snapshot.id).with_for_update()
        email = session.scalars(due).one_or_none()
        # What was changed meanwhile is looked at again.
        if email is not None and is_unchanged(email, snapshot):
            _decide(session, email, mail)
    return True


def _due() -> Select[ComposedEmail]:
    """The composed e-mail on which to decide next."""
    return (
        select(ComposedEmail)
        .where(ComposedEmail.status == SCHEDULED, ComposedEmail.scheduled_send_at <= utcnow())
        .order_by(ComposedEmail.scheduled_send_at, ComposedEmail.id)
        .limit(1)
    )


def _decide(session: Session, email: ComposedEmail, mail: RenderedMessage) -> None:
    assert email.scheduled_send_at is not None
    if email.scheduled_send_at < latest(session):
        _give_up(session, email)
    else:
        _send(session, email, mail, None)


def person_data(session: Session, address: str) -> list[PersonData]:
    """The e-mails that are written to somebody, and to whom of all it was only them."""
    shown = COMPOSED_EMAILS.answer(detail=True)
    own = [
        {**COMPOSED_EMAILS.values(email, detail=True), "recipient_emails": [address]}
        for email in _written_to(session.scalars(_listing(address)), address)
    ]
    return [PersonData(COMPOSED_EMAILS.name, [shown.dump(values) for values in own])]


def forget_person(session: Session, address: str) -> None:
    """Take somebody off the lists of recipients; what is for nobody else is sent to nobody."""
    rows = _listing(address).with_for_update().execution_options(populate_existing=True)
    for email in _written_to(session.scalars(rows), address):
        email.recipient_emails = [each for each in email.recipient_emails if each != address]
        email.updated_at = utcnow()
        email.revision += 1
        if not email.recipient_emails and email.status != SENT:
            session.delete(email)
    session.flush()


def _listing(address: str) -> Select[ComposedEmail]:
    """The e-mails that name an address among their recipients, and maybe some more."""
    # In the list's JSON an address stands in quotes.
    listed = cast(ComposedEmail.recipient_emails, Text).contains(
        json.dumps(address), autoescape=True
    )
    return select(ComposedEmail).where(listed).order_by(ComposedEmail.id)


def _written_to(emails: Iterable[ComposedEmail], address: str) -> list[ComposedEmail]:
    return [email for email in emails if address in email.recipient_emails]


def _check_unsent(email: ComposedEmail) -> None:
    if email.status == SENT:
        raise Refused("Email was sent already")


def _send(
    session: Session, email: ComposedEmail, mail: RenderedMessage, actor_id: int | None
) -> None:
    message = store_rendered(
        session, mail, kind=COMPOSED, source_id=email.id, subject=email.subject
    )
    number = add_recipients(session, message, [(each, None) for each in email.recipient_emails])
    email.status = SENT
    email.sent_at = email.updated_at = utcnow()
    email.revision += 1
    session.flush()
    _record(session, "email.send", email, actor_id, sentTo=number)


def _give_up(session: Session, email: ComposedEmail) -> None:
    email.status = DRAFT
    email.updated_at = utcnow()
    email.revision += 1
    session.flush()
    said = f"{email.title or email.subject} was not sent in time, so it is a draft again."
    tell_staff(session, "Email not sent", said)
    _record(session, "email.expire", email, None)


def _record(
    session: Session, action: str, email: ComposedEmail, actor_id: int | None, **detail: object
) -> None:
    record(
        session,
        action,
        actor_id,
        content_type=COMPOSED_EMAILS.name,
        content_id=email.id,
        title=email.title or email.subject,
        **detail,
    )
