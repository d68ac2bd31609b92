"""Messages: made once, when something is sent, and never changed afterwards."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import Select, insert, literal, select, true
from sqlalchemy.orm import Session

from masthead import UTCDateTime, absolute_html, insert_into, instance_of, utcnow
from masthead_email.outbox.models import (
    ACCOUNT,
    COMPOSED,
    DONE,
    FOLLOW_UP,
    NEWSLETTER,
    NOTICE,
    QUEUED,
    Delivery,
    Message,
)
from masthead_email.rendering.rendered_message import RenderedMessage, render_message
from masthead_email.settings import FROM

PRIORITIES = {ACCOUNT: 0, NOTICE: 1, FOLLOW_UP: 2, COMPOSED: 2, NEWSLETTER: 3}
"""What goes first: what somebody waits for, then what is for few, then what is for many."""


def create_message(  # noqa: PLR0913 - a message has so many parts
    session: Session,
    *,
    kind: str,
    source_id: int | None,
    subject: str,
    html: str | None,
    text: str | None,
    unsubscribe: bool = False,
    reply_to: str | None = None,
) -> Message:
    """Store a message as it will be sent, without recipients yet.

    :param kind: one of ``KINDS``, or whatever else a plugin calls its mails.
    :param source_id: the id of what it is made of, such as a newsletter's.
    :param subject: may hold placeholders, as ``html`` and ``text`` may.
    :param html: sanitised; None for a mail of plain text.
    :param text: its plain part; made of ``html`` where there is none.
    :param unsubscribe: whether it goes to subscribers, who must be able to leave.
    :param reply_to: whom an answer should reach, where not whom it comes from.
    """
    mail = render_message(html, text, unsubscribe=unsubscribe)
    return store_rendered(
        session,
        mail,
        kind=kind,
        source_id=source_id,
        subject=subject,
        unsubscribe=unsubscribe,
        reply_to=reply_to,
    )


def store_rendered(
    session: Session,
    mail: RenderedMessage,
    *,
    kind: str,
    source_id: int | None,
    subject: str,
    unsubscribe: bool = False,
    reply_to: str | None = None,
) -> Message:
    """Store a message that is already rendered, without recipients yet.

    Rendering takes long, so callers can do it before their transaction begins.

    :param mail: the rendered message; the other parameters are those of ``create_message``.
    """
    sender = instance_of(session).settings[FROM]
    message = Message(
        kind=kind,
        source_id=source_id,
        subject=subject,
        sender=str(sender),
        reply_to=reply_to,
        html=mail.html,
        text=mail.text,
        unsubscribe=unsubscribe,
        priority=PRIORITIES.get(kind, 2),
        message_id_seed=secrets.token_hex(12),
    )
    session.add(message)
    session.flush()
    return message


def mail_html(session: Session, html: str) -> str:
    """HTML of staff whose addresses lead to the website and the API, wherever it is read."""
    return absolute_html(instance_of(session).settings, None, html)


def fan_out(
    session: Session,
    message: Message,
    recipients: Select[Any],
    values: Mapping[str, str] | None = None,
) -> int:
    """Queue a message for everybody whom a query finds, in one statement.

    :param recipients: selects address, name and subscriber's id (or null), in this order.
    :param values: values of placeholders beyond name, email and unsubscribe, for all of them.
    :returns: for how many; an address that is found twice counts once.
    """
    rows = recipients.subquery()
    address, name, subscriber_id = rows.c
    columns = {
        "message_id": literal(message.id, Delivery.message_id.type),
        "address": address,
        "name": name,
        "subscriber_id": subscriber_id,
        "values": literal(dict(values) if values else None, Delivery.values.type),
        "state": literal(QUEUED),
        "attempts": literal(0, Delivery.attempts.type),
        "next_try_at": literal(utcnow(), UTCDateTime()),
    }
    # SQLite takes ON CONFLICT after a SELECT for a join unless that has a WHERE.
    chosen = select(*columns.values()).where(true())
    queued = session.execute(
        insert_into(session, Delivery)
        .from_select(list(columns), chosen, include_defaults=False)
        .on_conflict_do_nothing()
        .execution_options(preserve_rowcount=True)
    )
    return _queued(message, int(getattr(queued, "rowcount", 0)))


def add_recipients(
    session: Session,
    message: Message,
    recipients: Iterable[tuple[str, str | None]],
    values: Mapping[str, str] | None = None,
    subscriber_id: int | None = None,
) -> int:
    """Queue a message for people who are named one by one.

    :param recipients: pairs of address and name.
    :param values: values of placeholders beyond name, email and unsubscribe, for all of them.
    :param subscriber_id: where it is one subscriber, who has to be one still when it is sent.
    :returns: for how many; doubles count once.
    """
    now = utcnow()
    names: dict[str, str | None] = {}
    for address, name in recipients:
        names.setdefault(address.lower(), name)
    rows = [
        {
            "message_id": message.id,
            "address": address,
            "name": name,
            "subscriber_id": subscriber_id,
            "values": dict(values) if values else None,
            "state": QUEUED,
            "attempts": 0,
            "next_try_at": now,
        }
        for address, name in names.items()
    ]
    if rows:
        session.execute(insert(Delivery), rows)
    return _queued(message, len(rows))


def _queued(message: Message, number: int) -> int:
    if not number:
        message.state = DONE
    return number
