"""Subscribing and unsubscribing persons."""

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
    lock_row,
    utcnow,
)
from masthead_email.outbox.messages import add_recipients, create_message
from masthead_email.outbox.models import ACCOUNT
from masthead_email.settings import CONFIRM
from masthead_email.subscribers.links import link_key, sign, stored_key, verify
from masthead_email.subscribers.models import SUBSCRIBED, UNKNOWN, UNSUBSCRIBED, Subscriber
from masthead_email.subscribers.resource import SUBSCRIBERS, update_unsubscribed_at

CONFIRM_PATH = "/api/newsletter/confirm/"
CONFIRM_PURPOSE = "confirm"
INVALID_LINK = "This link is not valid any more"

_CONFIRM_INTERVAL = timedelta(minutes=15)
"""The minimum time between two confirmation requests to the same address."""
_CONFIRM_TEXT = """\
Somebody, hopefully you, wants to subscribe {{email}} to our newsletter. To confirm, open this page:

{{link}}

If it wasn't you, ignore this mail: you won't get another one from us.
"""


def subscribe(session: Session, data: Mapping[str, Any]) -> None:
    """Subscribe a person, or request their confirmation if the settings require it.

    :param data: ``email``, and optionally ``name`` and ``source``.
    """
    confirming = instance_of(session).settings[CONFIRM]
    subscriber = find_or_create(session, data, UNSUBSCRIBED if confirming else SUBSCRIBED)
    if subscriber.status == SUBSCRIBED:
        return
    if confirming:
        _request_confirmation(session, subscriber)
    else:
        _change_status(session, subscriber, SUBSCRIBED)


def find_or_create(
    session: Session, data: Mapping[str, Any], status: str = SUBSCRIBED
) -> Subscriber:
    """Return the subscriber with an address, locked: an existing one unchanged, or a new one.

    :param data: see :func:`subscribe`.
    :param status: the status of a new subscriber.
    """
    now = utcnow()
    row = {
        "email": data["email"],
        "name": data.get("name") or None,
        "status": status,
        "source": data.get("source") or UNKNOWN,
        "revision": 1,
        "created_at": now,
        "updated_at": now,
        # A pending confirmation is no unsubscription.
        "unsubscribed_at": None,
    }
    new_id = session.scalar(
        insert_into(session, Subscriber)
        .values(row)
        .on_conflict_do_nothing(index_elements=[Subscriber.email])
        .returning(Subscriber.id)
    )
    subscriber = _find(session, data["email"])
    assert subscriber is not None
    if new_id is not None:
        index_items(session, SUBSCRIBERS, [subscriber])
    return subscriber


def unsubscribe(session: Session, email: str) -> None:
    """Unsubscribe an address; do nothing if it is unknown."""
    subscriber = _find(session, email)
    if subscriber is not None:
        _change_status(session, subscriber, UNSUBSCRIBED)


def change_by_link(session: Session, purpose: str, token: str, status: str) -> None:
    """Change the status of the recipient of a link.

    :raises NotFound: if the token is invalid or the subscriber was deleted.
    """
    subscriber_id = verify(link_key(session), purpose, token)
    if subscriber_id is None:
        raise NotFound(INVALID_LINK)
    subscriber = lock_row(session, Subscriber, subscriber_id, message=INVALID_LINK)
    _change_status(session, subscriber, status)


def check_link(session: Session, purpose: str, token: str) -> str:
    """Return the address of the recipient of a link.

    :param session: a session that writes or only reads.
    :raises NotFound: if the token is invalid or the subscriber was deleted.
    """
    key = stored_key(session)
    subscriber_id = verify(key, purpose, token) if key is not None else None
    address = session.scalar(select(Subscriber.email).where(Subscriber.id == subscriber_id))
    if address is None:
        raise NotFound(INVALID_LINK)
    return address


def _find(session: Session, email: str) -> Subscriber | None:
    found = select(Subscriber).where(Subscriber.email == email).with_for_update()
    return session.scalars(found.execution_options(populate_existing=True)).one_or_none()


def _change_status(session: Session, subscriber: Subscriber, status: str) -> None:
    if subscriber.status == status:
        return
    subscriber.status = status
    update_unsubscribed_at(subscriber)
    subscriber.revision += 1
    subscriber.updated_at = utcnow()
    session.flush()


def _request_confirmation(session: Session, subscriber: Subscriber) -> None:
    """Send the mail whose link subscribes; not too often, because anybody can request it."""
    now = utcnow()
    if subscriber.asked_at is not None and now < subscriber.asked_at + _CONFIRM_INTERVAL:
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
        text=_CONFIRM_TEXT,
    )
    add_recipients(session, message, [(subscriber.email, subscriber.name)], {"link": link})
