"""Sending a mail that another plugin asks for, and telling who got which."""

from __future__ import annotations

import hmac
import json
from typing import Any

from sqlalchemy import Text, case, cast, delete, func, select, update
from sqlalchemy.orm import Session

from masthead import KEY, Mail, MailRecord, PersonData, Timestamp, utcnow
from masthead_email.outbox.messages import add_recipients, create_message, mail_html
from masthead_email.outbox.models import (
    ACCOUNT,
    FAILED,
    NOTICE,
    OPEN,
    QUEUED,
    SENT,
    SKIPPED,
    Delivery,
    Message,
    Suppression,
)
from masthead_email.outbox.services import history
from masthead_email.rendering.placeholders import split
from masthead_email.subscribers.links import link_key
from masthead_email.subscribers.models import SUBSCRIBED, UNSUBSCRIBED, Subscriber
from masthead_email.templates.models import Template
from masthead_email.templates.services import wrapped_html

_STATUS = {SENT: SENT, FAILED: FAILED, **dict.fromkeys(OPEN, QUEUED)}
_MOST_TOLD = 100


def deliver(session: Session, mail: Mail) -> bool:
    """Queue a mail for one person; returns False where they mustn't get it.

    That is where they have unsubscribed, mail to them came back, or its template is gone. Who is
    asked whether they want the newsletter, as anybody can have them be, hasn't unsubscribed. What
    concerns an account reaches who has unsubscribed too, as anybody can have them be as well.
    """
    address = mail.to.lower()
    subscriber = None if mail.kind == ACCOUNT else _subscriber(session, address)
    if subscriber is not None and subscriber.status != SUBSCRIBED:
        return False
    if session.get(Suppression, address) is not None:
        return False
    subject, html, text = mail.subject, None, mail.text or None
    if mail.template_id is not None:
        template = session.get(Template, mail.template_id)
        if template is None:
            return False
        html = mail_html(session, wrapped_html(template))
        subject, text = template.subject, template.text_content
    message = create_message(
        session,
        kind=mail.kind,
        source_id=mail.template_id,
        subject=subject,
        html=html,
        text=text,
        reply_to=mail.reply_to,
    )
    name = mail.variables.get("name")
    subscriber_id = subscriber.id if subscriber is not None else None
    add_recipients(session, message, [(address, name)], mail.variables, subscriber_id)
    return True


def mail_history(session: Session, address: str) -> list[MailRecord]:
    """What an address got or was to get, newest first; what was skipped never was."""
    told = history(address).where(Delivery.state.in_(_STATUS)).limit(_MOST_TOLD)
    return [
        MailRecord(
            id=delivery.id,
            subject=_subject(message, delivery),
            kind=message.kind,
            status=_STATUS[delivery.state],
            sent_at=delivery.done_at if delivery.state == SENT else None,
        )
        for delivery, message in session.execute(told)
    ]


def person_data(session: Session, address: str) -> list[PersonData]:
    """All mails to an address but those to staff and those about an account or a subscription.

    And whether it gets none any more.
    """
    mails = [
        {
            "subject": _subject(message, delivery),
            "kind": message.kind,
            "state": delivery.state,
            "name": delivery.name,
            "values": delivery.values or {},
            "doneAt": Timestamp().dump(delivery.done_at) if delivery.done_at else None,
        }
        for delivery, message in session.execute(history(address))
    ]
    suppressed = session.get(Suppression, address)
    reasons = [{"reason": suppressed.reason}] if suppressed else []
    return [PersonData("mails", mails), PersonData("suppressions", reasons)]


def forget_person(session: Session, address: str) -> None:
    """Take the person out of their deliveries, so that the counts of messages stay right."""
    nobody: Any = _pseudonym(session, address) + Delivery.id.cast(KEY)
    mine = update(Delivery).where(Delivery.address == address)
    waiting = mine.where(Delivery.state == QUEUED)
    done = {"state": SKIPPED, "done_at": utcnow()}
    quietly = {"synchronize_session": False}
    session.execute(waiting.values(**done).execution_options(**quietly))
    gone = {"address": nobody, "name": None, "values": None, "last_error": None}
    session.execute(mine.values(**gone, subscriber_id=None).execution_options(**quietly))
    session.execute(delete(Suppression).where(Suppression.address == address))
    _forget_author(session, address)


def _subscriber(session: Session, address: str) -> Subscriber | None:
    asked_only = (Subscriber.status == UNSUBSCRIBED) & Subscriber.unsubscribed_at.is_(None)
    found = select(Subscriber).where(Subscriber.email == address, ~asked_only)
    return session.scalars(found).one_or_none()


def _forget_author(session: Session, address: str) -> None:
    """Take who wrote to us out of what staff are mailed of it; what hasn't left yet won't."""
    # A notice names people as "Name (address)", and here it is JSON.
    named = json.dumps(f"({address})")[1:-1]
    notices = select(Message.id).where(Message.kind == NOTICE)
    waiting = Delivery.state.in_(OPEN)
    session.execute(
        update(Delivery)
        .where(
            Delivery.message_id.in_(notices),
            cast(Delivery.values, Text).contains(named, autoescape=True),
        )
        .values(
            values=None,
            state=case((waiting, SKIPPED), else_=Delivery.state),
            done_at=case((waiting, utcnow()), else_=Delivery.done_at),
        )
        .execution_options(synchronize_session=False)
    )
    session.execute(
        update(Message)
        .where(func.lower(Message.reply_to) == address)
        .values(reply_to=None)
        .execution_options(synchronize_session=False)
    )


def _pseudonym(session: Session, address: str) -> str:
    """What begins alike in all deliveries of who is forgotten, and leads to nobody."""
    # Keyed, as who guesses addresses would find a plain hash.
    mac = hmac.digest(link_key(session), f"forgotten:{address}".encode(), "sha256")
    return f"forgotten-{mac.hex()[:32]}-"


def _subject(message: Message, delivery: Delivery) -> str:
    """The subject as the person read it."""
    values = {**(delivery.values or {}), "name": delivery.name or "", "email": delivery.address}
    pieces = split(message.subject)
    pieces[1::2] = [str(values.get(name, "")) for name in pieces[1::2]]
    return "".join(pieces)
