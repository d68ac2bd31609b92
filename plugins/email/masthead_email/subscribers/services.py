"""Who subscribes, and who doesn't want to any more."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead import (
    NotFound,
    api_address,
    index_items,
    insert_into,
    instance_of,
    utcnow,
)
from masthead_email.outbox.messages import add_recipients, create_message
from masthead_email.outbox.models import ACCOUNT
from masthead_email.settings import CONFIRM
from masthead_email.subscribers.links import link_key, read, sign, stored_key
from masthead_email.subscribers.models import SUBSCRIBED, UNKNOWN, UNSUBSCRIBED, Subscriber
from masthead_email.subscribers.resource import SUBSCRIBERS, keep_moment

CONFIRM_PATH = "/api/newsletter/confirm/"
CONFIRM_PURPOSE = "confirm"
GONE = "This link is not valid any more"

_PATIENCE = timedelta(minutes=15)
"""What passes at least before the same address is asked again."""
_QUESTION = """\
Somebody, hopefully you, wants {{email}} to get our newsletter. To confirm, open this page:

{{link}}

If it wasn't you, there is nothing to do: you won't hear from us.
"""


def subscribe(session: Session, sent: Mapping[str, Any]) -> None:
    """A person wants the newsletter: at once, or once they have confirmed it.

    :param sent: ``email``, and perhaps ``name`` and ``source``.
    """
    confirming = instance_of(session).settings[CONFIRM]
    subscriber = ensure(session, sent, UNSUBSCRIBED if confirming else SUBSCRIBED)
    if subscriber.status == SUBSCRIBED:
        return
    if confirming:
        _ask(session, subscriber)
    else:
        _change(session, subscriber, SUBSCRIBED)


def ensure(session: Session, sent: Mapping[str, Any], status: str = SUBSCRIBED) -> Subscriber:
    """The subscriber of an address, locked: as they are, or new.

    :param sent: see :func:`subscribe`.
    :param status: of a new one.
    """
    now = utcnow()
    row = {
        "email": sent["email"],
        "name": sent.get("name") or None,
        "status": status,
        "source": sent.get("source") or UNKNOWN,
        "revision": 1,
        "created_at": now,
        "updated_at": now,
        # Who is only asked never left.
        "unsubscribed_at": None,
    }
    new = session.scalar(
        insert_into(session, Subscriber)
        .values(row)
        .on_conflict_do_nothing(index_elements=[Subscriber.email])
        .returning(Subscriber.id)
    )
    subscriber = _find(session, sent["email"])
    assert subscriber is not None
    if new is not None:
        index_items(session, SUBSCRIBERS, [subscriber])
    return subscriber


def unsubscribe(session: Session, email: str) -> None:
    """Who has an address gets no newsletter any more; one that nobody has is as good."""
    subscriber = _find(session, email)
    if subscriber is not None:
        _change(session, subscriber, UNSUBSCRIBED)


def change_by_link(session: Session, purpose: str, token: str, status: str) -> None:
    """Subscribe or unsubscribe whom a link was sent to.

    :raises NotFound: where it isn't one of ours, or they are gone.
    """
    subscriber_id = read(link_key(session), purpose, token)
    wanted = select(Subscriber).where(Subscriber.id == subscriber_id).with_for_update()
    subscriber = session.scalars(wanted).one_or_none()
    if subscriber is None:
        raise NotFound(GONE)
    _change(session, subscriber, status)


def check_link(session: Session, purpose: str, token: str) -> str:
    """The address of whom a link was sent to.

    :param session: may be one that only reads.
    :raises NotFound: where it isn't one of ours, or they are gone.
    """
    key = stored_key(session)
    subscriber_id = read(key, purpose, token) if key is not None else None
    address = session.scalar(select(Subscriber.email).where(Subscriber.id == subscriber_id))
    if address is None:
        raise NotFound(GONE)
    return address


def _find(session: Session, email: str) -> Subscriber | None:
    wanted = select(Subscriber).where(Subscriber.email == email).with_for_update()
    return session.scalars(wanted.execution_options(populate_existing=True)).one_or_none()


def _change(session: Session, subscriber: Subscriber, status: str) -> None:
    if subscriber.status == status:
        return
    subscriber.status = status
    keep_moment(subscriber)
    subscriber.revision += 1
    subscriber.updated_at = utcnow()
    session.flush()


def _ask(session: Session, subscriber: Subscriber) -> None:
    """Send the mail whose link subscribes; not too often, for anybody can ask for it."""
    now = utcnow()
    if subscriber.asked_at is not None and now < subscriber.asked_at + _PATIENCE:
        return
    subscriber.asked_at = now
    token = sign(link_key(session), CONFIRM_PURPOSE, subscriber.id)
    link = api_address(instance_of(session).settings, CONFIRM_PATH + token)
    message = create_message(
        session,
        kind=ACCOUNT,
        source_id=None,
        subject="Please confirm your subscription",
        html=None,
        text=_QUESTION,
    )
    add_recipients(session, message, [(subscriber.email, subscriber.name)], {"link": link})
