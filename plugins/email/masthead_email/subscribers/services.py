"""Subscribing and unsubscribing persons."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import case, literal, or_, select, update
from sqlalchemy.orm import Session

from masthead import (
    MailText,
    NotFound,
    UTCDateTime,
    api_address,
    index_items,
    insert_into,
    instance_of,
    lock_row,
    texts_of,
    utcnow,
)
from masthead_email.outbox.messages import add_recipients, create_message
from masthead_email.outbox.models import ACCOUNT, Delivery
from masthead_email.outbox.services import is_suppressed
from masthead_email.rendering.link_placeholders import PREFERENCES, UNSUBSCRIBE
from masthead_email.settings import CONFIRM, CONSENT_IP
from masthead_email.subscribers.engagement import new_day, note_engagement
from masthead_email.subscribers.links import (
    PREFERENCES_PATH,
    delivery_of,
    is_delivery_token,
    link_key,
    sign,
    sign_delivery,
    stored_key,
    subscriber_of,
    verify,
)
from masthead_email.subscribers.models import (
    LEFT,
    PENDING,
    SUBSCRIBED,
    UNKNOWN,
    UNSUBSCRIBED,
    Subscriber,
)
from masthead_email.subscribers.resource import SUBSCRIBERS, update_unsubscription
from masthead_email.subscribers.suppressed import note_request, release_confirmed

CONFIRM_PATH = "/api/newsletter/confirm/"
CONFIRM_PURPOSE = "confirm"
INVALID_LINK = "This link is not valid any more"

_UNSUBSCRIPTION = ("unsubscribed_at", "unsubscribe_kind", "unsubscribe_reason")
_CONFIRM_INTERVAL = timedelta(minutes=15)
"""The minimum time between two confirmation requests to the same address."""


def subscribe(session: Session, data: Mapping[str, Any], ip: str | None = None) -> None:
    """Subscribe a person, or request their confirmation if it is needed.

    The settings can require it, and it ends the suppression of the person's address.

    The statements are the same for every address, so that their duration doesn't reveal whether it
    is subscribed.

    :param data: ``email``, and optionally ``name``, ``source`` and ``language``.
    :param ip: the IP address of the request, which is stored if the settings say so.
    """
    confirming = instance_of(session).settings[CONFIRM]
    row = _new_row(data, UNSUBSCRIBED if confirming else SUBSCRIBED)
    row |= {"subscribed_at": row["created_at"], "subscribed_ip": kept_ip(session, ip)}
    row["engaged_at"] = None if confirming else new_day(session)
    new = insert_into(session, Subscriber).values(row)
    session.execute(
        new.on_conflict_do_nothing(index_elements=[Subscriber.email])
        if confirming
        else new.on_conflict_do_update(
            index_elements=[Subscriber.email],
            set_=_resubscription(row),
            where=Subscriber.status != SUBSCRIBED,
        )
    )
    subscriber = find_locked(session, data["email"])
    assert subscriber is not None
    index_items(session, SUBSCRIBERS, [subscriber])
    _request_confirmation(session, subscriber, data.get("language"), confirming=confirming)


def find_or_create(session: Session, data: Mapping[str, Any]) -> Subscriber:
    """Return the subscriber with an address, locked: an existing one unchanged, or a new one.

    :param data: see :func:`subscribe`.
    """
    new_id = session.scalar(
        insert_into(session, Subscriber)
        .values(_new_row(data, SUBSCRIBED))
        .on_conflict_do_nothing(index_elements=[Subscriber.email])
        .returning(Subscriber.id)
    )
    subscriber = find_locked(session, data["email"])
    assert subscriber is not None
    if new_id is not None:
        index_items(session, SUBSCRIBERS, [subscriber])
    return subscriber


def _new_row(data: Mapping[str, Any], status: str) -> dict[str, Any]:
    now = utcnow()
    return {
        "email": data["email"],
        "name": data.get("name") or None,
        "status": status,
        "source": data.get("source") or UNKNOWN,
        "fields": data.get("fields") or None,
        "topics": data.get("topics") or None,
        "language": data.get("language") or None,
        "revision": 1,
        "created_at": now,
        "updated_at": now,
        # A pending confirmation is no unsubscription.
        "unsubscribed_at": None,
        "unsubscribe_kind": PENDING if status == UNSUBSCRIBED else None,
    }


def _resubscription(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the changes of a subscriber who subscribes again, without a confirmation."""
    asked = {name: row[name] for name in ("subscribed_at", "subscribed_ip", "updated_at")}
    cleared = ("confirmed_at", "confirmed_ip", "paused_until", *_UNSUBSCRIPTION)
    return {
        "status": SUBSCRIBED,
        **asked,
        **dict.fromkeys(cleared),
        "engaged_at": case(
            (~Subscriber.tracking_refused, literal(row["engaged_at"], UTCDateTime()))
        ),
        **({"language": row["language"]} if row["language"] else {}),
        "revision": Subscriber.revision + 1,
    }


def kept_ip(session: Session, ip: str | None) -> str | None:
    """Return an IP address if the settings say that they are stored."""
    return ip if instance_of(session).settings[CONSENT_IP] else None


def unsubscribe(session: Session, email: str) -> None:
    """Unsubscribe an address, by the same statement if it is unknown."""
    session.execute(
        update(Subscriber)
        .where(Subscriber.email == email, Subscriber.status == SUBSCRIBED)
        .values(**_unsubscription())
        .execution_options(synchronize_session=False)
    )


def _unsubscription() -> dict[str, Any]:
    """Return the changes of a subscriber who unsubscribes."""
    now = utcnow()
    return {
        "status": UNSUBSCRIBED,
        "unsubscribed_at": now,
        "unsubscribe_kind": LEFT,
        "revision": Subscriber.revision + 1,
        "updated_at": now,
    }


def unsubscribe_by_link(session: Session, token: str) -> str | None:
    """Unsubscribe the recipient of a link; return the tag of their language, if it is known.

    :raises NotFound: if the token is invalid or the subscriber was deleted.
    """
    key = link_key(session)
    if address := _address_of_delivery(session, key, UNSUBSCRIBE, token):
        unsubscribe_recipient(session, address)
        return language_of(session, address)
    subscriber = _recipient(session, UNSUBSCRIBE, token)
    change_status(session, subscriber, UNSUBSCRIBED)
    return subscriber.language


def confirm(session: Session, token: str, ip: str | None = None) -> str | None:
    """Subscribe the recipient of a link, who confirms the request by it.

    :param ip: the IP address of the request, which is stored if the settings say so.
    :returns: the tag of their language, if it is known.
    :raises NotFound: if the token is invalid or the subscriber was deleted.
    """
    subscriber = _recipient(session, CONFIRM_PURPOSE, token)
    release_confirmed(session, subscriber)
    note_engagement(session, subscriber)
    if subscriber.status == SUBSCRIBED:
        return subscriber.language
    asked, before = subscriber.asked_at, subscriber.subscribed_at
    if before is None or asked is None or asked - before >= _CONFIRM_INTERVAL:
        # The address belongs to an earlier request.
        subscriber.subscribed_ip = None
    subscriber.subscribed_at = asked
    subscriber.confirmed_at, subscriber.confirmed_ip = utcnow(), kept_ip(session, ip)
    subscriber.paused_until = None
    change_status(session, subscriber, SUBSCRIBED)
    return subscriber.language


def _recipient(session: Session, purpose: str, token: str) -> Subscriber:
    key, subscriber_id = link_key(session), subscriber_of(token)
    if subscriber_id is None:
        raise NotFound(INVALID_LINK)
    subscriber = lock_row(session, Subscriber, subscriber_id, message=INVALID_LINK)
    if not _is_token_of(key, purpose, token, subscriber):
        raise NotFound(INVALID_LINK)
    return subscriber


def _is_token_of(key: bytes, purpose: str, token: str, subscriber: Any) -> bool:
    """Whether a token is that of a link for a subscriber.

    A former mailbox may be that of somebody else, so after a change of the address the links in it
    only unsubscribe.

    :param subscriber: the subscriber, or a row with the address and the time of its change.
    """
    # Earlier versions signed no address.
    unbound = purpose == UNSUBSCRIBE or subscriber.address_changed_at is None
    addresses = (subscriber.email, *((None,) if unbound else ()))
    return any(verify(key, purpose, token, each) is not None for each in addresses)


def check_link(session: Session, purpose: str, token: str) -> str:
    """Return the address of the recipient of a link.

    :param session: a session that writes or only reads.
    :raises NotFound: if the token is invalid or the subscriber was deleted.
    """
    key = stored_key(session)
    if key is None:
        raise NotFound(INVALID_LINK)
    if address := _address_of_delivery(session, key, purpose, token):
        return address
    columns = select(Subscriber.email, Subscriber.address_changed_at)
    found = session.execute(columns.where(Subscriber.id == subscriber_of(token))).one_or_none()
    if found is None or not _is_token_of(key, purpose, token, found):
        raise NotFound(INVALID_LINK)
    return str(found.email)


def unsubscribe_page_values(session: Session, token: str) -> dict[str, Any]:
    """Return the address, the language and the preference page of a reader of an unsubscribe link.

    Address and preference page are blank after a change of the address, because the link may be in
    the former mailbox.

    :raises NotFound: if the token is invalid or the subscriber was deleted.
    """
    address = check_link(session, UNSUBSCRIBE, token)
    language = language_of(session, address)
    by_address = Subscriber.email == address
    changed = session.scalar(select(Subscriber.address_changed_at).where(by_address))
    if changed is not None and delivery_of(token) is None:
        return {"address": "", "preferences": "", "language": language}
    preferences = _preferences_address(session, token, address)
    return {"address": address, "preferences": preferences, "language": language}


def language_of(session: Session, address: str) -> str | None:
    """Return the tag of the language of the subscriber with an address, if it is known."""
    return session.scalar(select(Subscriber.language).where(Subscriber.email == address))


def _preferences_address(session: Session, token: str, address: str) -> str:
    """Return the link to the preference page of the recipient of an unsubscribe link.

    :param token: the token of the unsubscribe link, which is valid.
    :param address: the address of its recipient.
    """
    key, delivery_id = stored_key(session), delivery_of(token)
    assert key is not None
    if delivery_id is not None:
        own = sign_delivery(key, PREFERENCES, delivery_id, address)
    else:
        own = sign(key, PREFERENCES, int(token.partition("-")[0]), address)
    return api_address(instance_of(session).settings, PREFERENCES_PATH + own)


def own_preferences_address(session: Session, subscriber: Subscriber) -> str:
    """Return the link to the preference page of a subscriber."""
    token = sign(link_key(session), PREFERENCES, subscriber.id, subscriber.email)
    return api_address(instance_of(session).settings, PREFERENCES_PATH + token)


def _address_of_delivery(session: Session, key: bytes, purpose: str, token: str) -> str | None:
    """Return the address of the delivery whose token it is; None for other tokens."""
    delivery_id = delivery_of(token) if purpose in (UNSUBSCRIBE, PREFERENCES) else None
    address = session.scalar(select(Delivery.address).where(Delivery.id == delivery_id))
    valid = address is not None and is_delivery_token(key, purpose, token, address)
    return address if valid else None


def unsubscribe_recipient(session: Session, address: str) -> None:
    """Unsubscribe an address, also one that has never subscribed."""
    change = _unsubscription()
    row = _new_row({"email": address}, UNSUBSCRIBED) | change | {"revision": 1}
    new = insert_into(session, Subscriber).values(row)
    session.execute(
        new.on_conflict_do_update(
            index_elements=[Subscriber.email],
            set_=change,
            where=or_(Subscriber.status == SUBSCRIBED, Subscriber.unsubscribed_at.is_(None)),
        )
    )
    subscriber = find_locked(session, address)
    assert subscriber is not None
    index_items(session, SUBSCRIBERS, [subscriber])


def find_locked(session: Session, email: str) -> Subscriber | None:
    """Return the subscriber with an address, refreshed and locked; None if there is none."""
    found = select(Subscriber).where(Subscriber.email == email).with_for_update()
    return session.scalars(found.execution_options(populate_existing=True)).one_or_none()


def change_status(session: Session, subscriber: Subscriber, status: str) -> None:
    """Subscribe or unsubscribe a locked subscriber, as they wish themselves."""
    if subscriber.status == status:
        return
    subscriber.status = status
    update_unsubscription(subscriber, LEFT)
    subscriber.revision += 1
    subscriber.updated_at = utcnow()
    session.flush()


def _request_confirmation(
    session: Session, subscriber: Subscriber, language: str | None, *, confirming: bool
) -> None:
    """Send the mail whose link subscribes; not too often, because anybody can request it.

    The delivery is skipped from the start if the mail isn't needed, or may not be sent.

    :param language: the language of the request, if it names one.
    :param confirming: whether the settings require a confirmation.
    """
    now = utcnow()
    if subscriber.asked_at is not None and now < subscriber.asked_at + _CONFIRM_INTERVAL:
        return
    _note_request(session, subscriber, now, language)
    suppressed = is_suppressed(session, subscriber.email)
    asks_suppressed = note_request(session, subscriber.email, now)
    unconfirmed = confirming and subscriber.status != SUBSCRIBED
    skipped = not asks_suppressed if suppressed else not unconfirmed
    token = sign(link_key(session), CONFIRM_PURPOSE, subscriber.id, subscriber.email)
    link = api_address(instance_of(session).settings, CONFIRM_PATH + token)
    mail = _confirmation(session, language or subscriber.language)
    message = create_message(
        session,
        kind=ACCOUNT,
        source_id=None,
        subject=mail.subject,
        html=None,
        text=mail.text,
        to_suppressed=True,
    )
    recipient = (subscriber.email, subscriber.name)
    add_recipients(session, message, [recipient], {"link": link}, skipped=skipped)


def _note_request(
    session: Session, subscriber: Subscriber, now: datetime, language: str | None
) -> None:
    """Store the time of a request, and its language unless the person is subscribed already."""
    changes: dict[str, Any] = {"asked_at": now}
    if language is not None:
        new = (Subscriber.status != SUBSCRIBED) & Subscriber.language.is_distinct_from(language)
        changes["language"] = case((new, language), else_=Subscriber.language)
        changes["revision"] = case((new, Subscriber.revision + 1), else_=Subscriber.revision)
    session.execute(
        update(Subscriber)
        .where(Subscriber.id == subscriber.id)
        .values(**changes)
        .execution_options(synchronize_session=False)
    )


def _confirmation(session: Session, language: str | None) -> MailText:
    """Return the confirmation mail, with the placeholders of the recipient."""
    texts = texts_of(session)
    own = {name: f"{{{{{name}}}}}" for name in ("email", "link")}
    return texts.render_mail("email/mails/confirm.txt", texts.language(language), **own)
