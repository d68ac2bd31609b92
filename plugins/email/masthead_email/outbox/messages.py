"""Creating messages and queueing them for recipients."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, insert, literal, select, true, update
from sqlalchemy.orm import Session

from masthead import (
    Texts,
    UTCDateTime,
    absolute_html,
    insert_into,
    instance_of,
    texts_of,
    utcnow,
)
from masthead_email.outbox.models import (
    ACCOUNT,
    COMPOSED,
    DONE,
    FOLLOW_UP,
    NEWSLETTER,
    NOTICE,
    QUEUED,
    SKIPPED,
    SKIPPED_SUPPRESSED,
    Delivery,
    Message,
    Suppression,
)
from masthead_email.rendering.footers import read_footer
from masthead_email.rendering.link_placeholders import repair_links
from masthead_email.rendering.rendered_message import RenderedMessage, render_message
from masthead_email.settings import FROM

PRIORITIES = {ACCOUNT: 0, NOTICE: 1, FOLLOW_UP: 2, COMPOSED: 2, NEWSLETTER: 3}
"""Lower values are sent first: mail that a user waits for, then mail to few, then to many."""


@dataclass(frozen=True)
class Addressee:
    """A recipient of a message that isn't rendered for them yet."""

    address: str
    name: str | None = None
    subscriber_id: int | None = None
    """The subscriber, who must still be subscribed when it is sent."""
    values: Mapping[str, str] | None = None
    """Placeholder values beyond name, email and unsubscribe."""


def create_message(  # noqa: PLR0913 - a message has this many parts
    session: Session,
    *,
    kind: str,
    source_id: int | None,
    subject: str,
    html: str | None,
    text: str | None,
    unsubscribe: bool = False,
    reply_to: str | None = None,
    to_suppressed: bool = False,
) -> Message:
    """Render and store a message, without recipients yet.

    :param kind: one of ``KINDS``, or another kind that a plugin defines.
    :param source_id: the id of its source, such as a newsletter's.
    :param subject: may contain placeholders, as ``html`` and ``text`` may.
    :param html: sanitised HTML; None for a plain-text message.
    :param text: the plain-text part; derived from ``html`` if missing.
    :param unsubscribe: whether it needs an unsubscribe link; a footer in the language of the
        organisation adds a missing one.
    :param reply_to: the Reply-To address, if it differs from the sender.
    :param to_suppressed: whether suppressed addresses get it, too.
    """
    mail = render_letter(texts_of(session), html, text, unsubscribe=unsubscribe)
    return store_rendered(
        session,
        mail,
        kind=kind,
        source_id=source_id,
        subject=subject,
        unsubscribe=unsubscribe,
        reply_to=reply_to,
        to_suppressed=to_suppressed,
    )


def store_rendered(  # noqa: PLR0913 - a message has this many parts
    session: Session,
    mail: RenderedMessage,
    *,
    kind: str,
    source_id: int | None,
    subject: str,
    unsubscribe: bool = False,
    reply_to: str | None = None,
    to_suppressed: bool = False,
    values: Mapping[str, str] | None = None,
) -> Message:
    """Store a message that is already rendered, without recipients yet.

    Rendering takes long, so callers can do it before their transaction begins.

    :param mail: the rendered message; most other parameters are those of ``create_message``.
    :param values: placeholder values that are the same for all recipients.
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
        values=dict(values) if values else None,
        priority=PRIORITIES.get(kind, 2),
        message_id_seed=secrets.token_hex(12),
        to_suppressed=to_suppressed,
    )
    session.add(message)
    session.flush()
    return message


def render_letter(
    texts: Texts,
    html: str | None,
    text: str | None,
    *,
    unsubscribe: bool,
    language: str | None = None,
) -> RenderedMessage:
    """Render a letter in a language.

    :param unsubscribe: whether to add a footer to parts without a link to ``{{unsubscribe}}``.
    :param language: the tag of its language; None for that of the organisation.
    """
    footer = read_footer(texts, language) if unsubscribe else None
    tag = language or texts.organisation.language
    return render_message(html, text, language=tag, footer=footer)


def mail_html(session: Session, html: str) -> str:
    """Return HTML with repaired links, and with absolute URLs of the website and the API."""
    return absolute_html(instance_of(session).settings, None, repair_links(html))


def fan_out(
    session: Session,
    message: Message,
    recipients: Select[Any],
    values: Mapping[str, str] | None = None,
) -> int:
    """Queue a message for the recipients that a query selects, in one statement.

    :param recipients: selects address, name and subscriber id (or null), in this order, and
        optionally placeholder values beyond name, email and unsubscribe.
    :param values: such values for all recipients, if they have none of their own.
    :returns: the number of recipients, without suppressed ones; duplicate addresses count once.
    """
    rows = recipients.subquery()
    address, name, subscriber_id, *own = rows.c
    common = literal(dict(values) if values else None, Delivery.values.type)
    columns = {
        "message_id": literal(message.id, Delivery.message_id.type),
        "address": address,
        "name": name,
        "subscriber_id": subscriber_id,
        "values": own[0] if own else common,
        "state": literal(QUEUED),
        "attempts": literal(0, Delivery.attempts.type),
        "next_try_at": literal(utcnow(), UTCDateTime()),
    }
    # SQLite parses ON CONFLICT after a SELECT as a join unless the SELECT has a WHERE.
    selected = select(*columns.values()).where(true())
    queued = session.execute(
        insert_into(session, Delivery)
        .from_select(list(columns), selected, include_defaults=False)
        .on_conflict_do_nothing()
        .execution_options(preserve_rowcount=True)
    )
    return _skip_suppressed(session, message, int(getattr(queued, "rowcount", 0)))


def add_recipients(
    session: Session,
    message: Message,
    recipients: Iterable[tuple[str, str | None] | Addressee],
    values: Mapping[str, str] | None = None,
    subscriber_id: int | None = None,
    *,
    skipped: bool = False,
) -> int:
    """Queue a message for a list of recipients.

    :param recipients: pairs of address and name, or addressees.
    :param values: placeholder values for all pairs, beyond name, email and unsubscribe.
    :param subscriber_id: the subscriber of all pairs.
    :param skipped: whether nothing is sent.
    :returns: the number of recipients, without suppressed ones; duplicate addresses count once.
    """
    now = utcnow()
    found: dict[str, Addressee] = {}
    for each in recipients:
        one = each if isinstance(each, Addressee) else Addressee(*each, subscriber_id, values)
        found.setdefault(one.address.lower(), one)
    rows = [
        {
            "message_id": message.id,
            "address": address,
            "name": one.name,
            "subscriber_id": one.subscriber_id,
            "values": dict(one.values) if one.values and not skipped else None,
            "state": SKIPPED if skipped else QUEUED,
            "attempts": 0,
            "next_try_at": now,
            "done_at": now if skipped else None,
        }
        for address, one in found.items()
    ]
    if rows:
        session.execute(insert(Delivery), rows)
    return _skip_suppressed(session, message, len(rows))


def _skip_suppressed(session: Session, message: Message, number: int) -> int:
    """Skip the queued deliveries to suppressed addresses; return the number of the others.

    :param number: the number of the message's deliveries.
    """
    if not message.to_suppressed:
        skipped = session.execute(
            update(Delivery)
            .where(
                Delivery.message_id == message.id,
                Delivery.state == QUEUED,
                Delivery.address.in_(select(Suppression.address)),
            )
            .values(state=SKIPPED, last_error=SKIPPED_SUPPRESSED, done_at=utcnow())
            .execution_options(synchronize_session=False)
        )
        number -= int(getattr(skipped, "rowcount", 0))
    if not number:
        message.state = DONE
    return number
