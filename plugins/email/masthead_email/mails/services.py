"""Sending mail for other plugins, and the mail history of a person."""

from __future__ import annotations

import hmac
import json
from typing import Any

from sqlalchemy import ColumnElement, Text, case, cast, delete, func, select, update
from sqlalchemy.orm import Session

from masthead import KEY, Mail, MailHistory, MailRecord, PersonData, Timestamp, utcnow
from masthead_email.letters import has_unsubscribe_link
from masthead_email.outbox.messages import Addressee, add_recipients, create_message, mail_html
from masthead_email.outbox.models import (
    ACCOUNT,
    FAILED,
    NAMED,
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
from masthead_email.permissions import ADDRESSES
from masthead_email.rendering.placeholders import parse_header
from masthead_email.subscribers.links import link_key
from masthead_email.subscribers.models import SUBSCRIBED, UNSUBSCRIBED, Subscriber
from masthead_email.templates.models import Template
from masthead_email.templates.services import wrapped_html

_STATUS = {SENT: SENT, FAILED: FAILED, **dict.fromkeys(OPEN, QUEUED)}
_HISTORY_SIZE = 100


def deliver(session: Session, mail: Mail) -> bool:
    """Queue a mail; return False if it mustn't be sent.

    That is the case if the recipient has unsubscribed or is suppressed, or the template doesn't
    exist. An unanswered confirmation request isn't an unsubscription, because anybody can cause
    one. Account mail ignores unsubscriptions for the same reason.
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
        unsubscribe=mail.template_id is not None and has_unsubscribe_link(html, text),
        reply_to=mail.reply_to,
    )
    name = mail.variables.get("name") or (subscriber.name if subscriber else None)
    fields = subscriber.fields if subscriber and mail.template_id is not None else None
    subscriber_id = subscriber.id if subscriber is not None else None
    values = {**(fields or {}), **mail.variables}
    add_recipients(session, message, [Addressee(address, name, subscriber_id, values)])
    return True


def mail_history(session: Session, address: str) -> MailHistory:
    """Return the latest mail of an address, newest first, without skipped deliveries."""
    latest = history(address).where(Delivery.state.in_(_STATUS)).limit(_HISTORY_SIZE)
    mails = [
        MailRecord(
            id=delivery.id,
            subject=_subject(message, delivery),
            kind=message.kind,
            status=_STATUS[delivery.state],
            sent_at=delivery.done_at if delivery.state == SENT else None,
        )
        for delivery, message in session.execute(latest)
    ]
    return MailHistory(ADDRESSES, mails)


def person_data(session: Session, address: str) -> list[PersonData]:
    """Return all mail of an address except notices and account mail, and its suppression."""
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
    return [
        PersonData("mails", ADDRESSES, mails),
        PersonData("suppressions", ADDRESSES, reasons),
    ]


def forget_person(session: Session, address: str) -> None:
    """Anonymise the deliveries of a person, so that the totals of messages stay correct."""
    pseudonym: Any = _pseudonym(session, address) + Delivery.id.cast(KEY)
    own = update(Delivery).where(Delivery.address == address)
    queued = own.where(Delivery.state == QUEUED)
    done = {"state": SKIPPED, "done_at": utcnow()}
    options = {"synchronize_session": False}
    session.execute(queued.values(**done).execution_options(**options))
    anonymous = {"address": pseudonym, "name": None, "values": None, "last_error": None}
    session.execute(own.values(**anonymous, subscriber_id=None).execution_options(**options))
    session.execute(delete(Suppression).where(Suppression.address == address))
    _forget_visitor(session, address)
    # Requests to confirm a new address name the former one; no other account mail has a source.
    requests = select(Message.id).where(Message.kind == ACCOUNT, Message.source_id.is_not(None))
    named = Delivery.values[NAMED].as_string() == address
    _empty(session, Delivery.message_id.in_(requests), named)


def _subscriber(session: Session, address: str) -> Subscriber | None:
    unconfirmed = (Subscriber.status == UNSUBSCRIBED) & Subscriber.unsubscribed_at.is_(None)
    found = select(Subscriber).where(Subscriber.email == address, ~unconfirmed)
    return session.scalars(found).one_or_none()


def _forget_visitor(session: Session, address: str) -> None:
    """Remove a visitor from notices to staff about their messages."""
    # A notice names a person as "Name (address)", and the values are stored as JSON.
    named = json.dumps(f"({address})")[1:-1]
    notices = select(Message.id).where(Message.kind == NOTICE)
    has_name = cast(Delivery.values, Text).contains(named, autoescape=True)
    _empty(session, Delivery.message_id.in_(notices), has_name)
    session.execute(
        update(Message)
        .where(func.lower(Message.reply_to) == address)
        .values(reply_to=None)
        .execution_options(synchronize_session=False)
    )


def _empty(session: Session, *conditions: ColumnElement[bool]) -> None:
    """Remove the texts of deliveries to others; skip unsent ones."""
    unsent = Delivery.state.in_(OPEN)
    session.execute(
        update(Delivery)
        .where(*conditions)
        .values(
            values=None,
            state=case((unsent, SKIPPED), else_=Delivery.state),
            done_at=case((unsent, utcnow()), else_=Delivery.done_at),
        )
        .execution_options(synchronize_session=False)
    )


def _pseudonym(session: Session, address: str) -> str:
    """Return the common prefix of a forgotten person's delivery addresses."""
    # A keyed hash, because a plain one could be reversed by guessing addresses.
    mac = hmac.digest(link_key(session), f"forgotten:{address}".encode(), "sha256")
    return f"forgotten-{mac.hex()[:32]}-"


def _subject(message: Message, delivery: Delivery) -> str:
    """Return the subject with the recipient's values."""
    values = {**(delivery.values or {}), "name": delivery.name, "email": delivery.address}
    return parse_header(message.subject).filled(values)
