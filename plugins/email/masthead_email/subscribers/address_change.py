"""The change of a subscriber's address, which a link in a mail to the new address confirms."""

from __future__ import annotations

import base64
import hmac
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any, Final

from sqlalchemy import Select, exists, func, or_, select, update
from sqlalchemy.orm import Session, aliased

from masthead import (
    MailText,
    NotFound,
    api_address,
    delete_items,
    index_items,
    instance_of,
    lock,
    merge_addresses,
    record,
    remember_change,
    texts_of,
    unique,
    utcnow,
)
from masthead_email.outbox.messages import add_recipients, create_message
from masthead_email.outbox.models import ACCOUNT, NAMED, QUEUED, SKIPPED, Delivery, Message
from masthead_email.outbox.services import is_suppressed
from masthead_email.subscribers.links import link_key, stored_key
from masthead_email.subscribers.models import SUBSCRIBED, TOPICS, Subscriber
from masthead_email.subscribers.resource import SUBSCRIBERS, update_unsubscription
from masthead_email.subscribers.services import INVALID_LINK, find_locked, kept_ip
from masthead_email.subscribers.suppressed import note_request, release_confirmed

ADDRESS_PATH: Final = "/api/newsletter/address/"
_PURPOSE: Final = "address"
_LIFETIME = timedelta(hours=24)
_INTERVAL = timedelta(minutes=15)
"""The time in which an address gets at most one request of this kind."""
_MOST_REQUESTS = 3
"""The number of requests of a subscriber in that time: a mistyped address can be corrected."""
_MAC_BYTES = 18
_TOKEN = re.compile(r"([1-9][0-9]{0,17})\.([0-9]{1,12})\.([\w-]+)\.[\w-]+", re.ASCII)


@dataclass(frozen=True)
class _Link:
    """The content of a link that changes an address."""

    subscriber_id: int
    expires: int
    """The time of its end, in seconds since 1970."""
    address: str


@dataclass(frozen=True)
class AddressChange:
    """A requested change of an address."""

    subscriber: Subscriber
    address: str
    """The new address."""
    other: Subscriber | None
    """The subscriber who has the new address already."""

    @property
    def needs_consent(self) -> bool:
        """Whether the new address gets no newsletter unless the person asks for it again."""
        is_other_out = self.other is not None and self.other.status != SUBSCRIBED
        return is_other_out and self.subscriber.status == SUBSCRIBED


def ask_new_address(
    session: Session, subscriber: Subscriber, address: str, accepted: str | None
) -> bool:
    """Mail a link that changes the address of a locked subscriber to the new address.

    The result doesn't reveal whether the new address is subscribed or suppressed: then the mail
    differs, or isn't sent.

    :param address: the new address, as ``Email`` returns it.
    :param accepted: the language of the subscriber's browser.
    :returns: False if the subscriber has asked too often.
    """
    now = utcnow()
    recent = (Message.kind == ACCOUNT, Message.created_at > now - _INTERVAL)
    own = select(func.count()).select_from(Message)
    asked = session.scalar(own.where(*recent, Message.source_id == subscriber.id)) or 0
    if asked >= _MOST_REQUESTS:
        return False
    # Subscribers who ask for the same address at once wait for each other.
    lock(session, "email.new_address")
    # No other account mail has a source.
    requests = exists().where(
        *recent,
        Message.source_id.is_not(None),
        Message.id == Delivery.message_id,
        Delivery.address == address,
    )
    if not session.scalar(select(requests)):
        _mail_link(session, subscriber, address, accepted, now)
    return True


def read_change(session: Session, token: str) -> AddressChange:
    """Return the change that a link asks for.

    :param session: a session that writes or only reads.
    :raises NotFound: if the token is invalid, expired or used, or the subscriber was deleted.
    """
    link = _check(session, token)
    change = _change(link, session.scalars(_about(link)).all())
    if change is None:
        raise NotFound(INVALID_LINK)
    return change


def confirm_change(session: Session, token: str, *, again: bool, ip: str | None) -> Subscriber:
    """Change the address as a link asks for; merge two subscribers if the new one has it already.

    The former address gets a notice. Queued mail for the former address goes to the new one,
    because the person still wants it and may not read the former mailbox any more.

    :param again: whether the person subscribes the new address, which has unsubscribed, again.
    :param ip: the IP address of the request, which is stored if the settings say so.
    :returns: the subscriber with the new address.
    :raises NotFound: if the token is invalid, expired or used, or the subscriber was deleted.
    """
    link = _check(session, token)
    rows = _about(link).order_by(Subscriber.id).with_for_update()
    locked = session.scalars(rows.execution_options(populate_existing=True)).all()
    # Another request may have used the link before the rows were locked.
    change = _change(_check(session, token), locked)
    if change is None:
        raise NotFound(INVALID_LINK)
    former, language = change.subscriber.email, change.subscriber.language
    if change.other is None:
        _move(session, change)
    else:
        _merge(session, change, change.other, again=again, ip=ip)
    texts = texts_of(session)
    notice = "email/mails/address-changed.txt"
    _queue(session, texts.render_mail(notice, texts.language(language), former=former), former)
    subscriber = find_locked(session, link.address)
    assert subscriber is not None
    index_items(session, SUBSCRIBERS, [subscriber])
    release_confirmed(session, subscriber)
    return subscriber


def _about(link: _Link) -> Select[Subscriber]:
    """Return a query of the subscriber of a link, and of the one who has the new address."""
    both = or_(Subscriber.id == link.subscriber_id, Subscriber.email == link.address)
    return select(Subscriber).where(both)


def _mail_link(
    session: Session, subscriber: Subscriber, address: str, accepted: str | None, now: datetime
) -> None:
    """Mail the link; the delivery is skipped from the start if the address gets no mail."""
    instance = instance_of(session)
    skipped = is_suppressed(session, address) and not note_request(session, address, now)
    link = _Link(subscriber.id, int((now + _LIFETIME).timestamp()), address)
    token = _sign(link_key(session), link, subscriber.address_changed_at)
    known = session.scalar(select(exists().where(Subscriber.email == address)))
    texts = texts_of(session)
    mail = texts.render_mail(
        "email/mails/new-address.txt",
        texts.language(subscriber.language, accepted),
        former=subscriber.email,
        address=address,
        known=known,
        link=api_address(instance.settings, ADDRESS_PATH + token),
    )
    _queue(
        session,
        mail,
        address,
        # Such a mail also names the person, who may be forgotten.
        values={NAMED: subscriber.email},
        source_id=subscriber.id,
        to_suppressed=True,
        skipped=skipped,
    )


def _queue(
    session: Session,
    mail: MailText,
    address: str,
    *,
    values: Mapping[str, str] = MappingProxyType({}),
    source_id: int | None = None,
    to_suppressed: bool = False,
    skipped: bool = False,
) -> None:
    message = create_message(
        session,
        kind=ACCOUNT,
        source_id=source_id,
        # Passed as values, so that braces in them are no placeholders.
        subject="{{subject}}",
        html=None,
        text="{{text}}",
        to_suppressed=to_suppressed,
    )
    own = {**values, "subject": mail.subject, "text": mail.text}
    add_recipients(session, message, [(address, None)], own, skipped=skipped)


def _move(session: Session, change: AddressChange) -> None:
    subscriber, former = change.subscriber, change.subscriber.email
    # Somebody may subscribe the new address at the same moment.
    with unique(session, "Please open the link again", Subscriber.email):
        subscriber.email = change.address
        subscriber.address_changed_at = subscriber.updated_at = utcnow()
        subscriber.revision += 1
    remember_change(session, SUBSCRIBERS.name, subscriber, former, change.address)
    record(session, "subscriber.move", None, SUBSCRIBERS.name, subscriber)
    _move_deliveries(session, subscriber.id, former, subscriber.id, change.address)


def _merge(
    session: Session, change: AddressChange, other: Subscriber, *, again: bool, ip: str | None
) -> None:
    """Merge the subscriber into the one who has the new address, and whose consent stays."""
    subscriber = change.subscriber
    if change.needs_consent and again:
        other.status = SUBSCRIBED
        update_unsubscription(other, "")
        other.subscribed_at = other.confirmed_at = utcnow()
        other.subscribed_ip = other.confirmed_ip = kept_ip(session, ip)
        other.paused_until = None
    topics = dict.fromkeys([*(other.topics or ()), *(subscriber.topics or ())])
    other.topics = list(topics)[: TOPICS.max_length] or None
    other.fields = {**(subscriber.fields or {}), **(other.fields or {})} or None
    other.name = other.name or subscriber.name
    other.language = other.language or subscriber.language
    other.tracking_refused = other.tracking_refused or subscriber.tracking_refused
    days = filter(None, (other.engaged_at, subscriber.engaged_at))
    other.engaged_at = None if other.tracking_refused else max(days, default=None)
    pauses = filter(None, (other.paused_until, subscriber.paused_until))
    other.paused_until = max(pauses, default=None)
    other.updated_at = utcnow()
    other.revision += 1
    session.flush()
    merge_addresses(session, SUBSCRIBERS, other, subscriber)
    _move_deliveries(session, subscriber.id, subscriber.email, other.id, change.address)
    record(session, "subscriber.merge", None, SUBSCRIBERS.name, other, mergedId=subscriber.id)
    delete_items(session, SUBSCRIBERS, [subscriber], None)


def _move_deliveries(
    session: Session, former_id: int, former: str, subscriber_id: int, address: str
) -> None:
    """Address the queued mail of a subscriber to the new address, unless it gets the same mail."""
    mine = (
        Delivery.address == former,
        Delivery.subscriber_id == former_id,
        Delivery.state == QUEUED,
    )
    same = aliased(Delivery)
    twice = exists().where(same.message_id == Delivery.message_id, same.address == address)
    options: Any = {"synchronize_session": False}
    skipped = update(Delivery).where(*mine, twice).values(state=SKIPPED, done_at=utcnow())
    session.execute(skipped.execution_options(**options))
    # With another time, a sender that has claimed the delivery for the former address leaves it.
    fresh = {"next_try_at": utcnow(), "attempts": 0, "last_error": None, "failure": None}
    moved = update(Delivery).where(*mine).values(address=address, **fresh)
    session.execute(moved.values(subscriber_id=subscriber_id).execution_options(**options))


def _change(link: _Link, found: Sequence[Subscriber]) -> AddressChange | None:
    """Return the change that a link asks for, given the subscribers that it is about."""
    subscriber = next((each for each in found if each.id == link.subscriber_id), None)
    if subscriber is None:
        return None
    others = (each for each in found if each is not subscriber)
    return AddressChange(subscriber, link.address, next(others, None))


def _check(session: Session, token: str) -> _Link:
    """Return the content of a link.

    :raises NotFound: if the token is invalid, expired or used, or the subscriber was deleted.
    """
    key, link = stored_key(session), _read(token)
    changes = select(Subscriber.address_changed_at).where(Subscriber.id == link.subscriber_id)
    row = session.execute(changes).one_or_none()
    if key is None or row is None or link.expires < utcnow().timestamp():
        raise NotFound(INVALID_LINK)
    expected = _sign(key, link, row.address_changed_at)
    if not hmac.compare_digest(token.encode(errors="replace"), expected.encode()):
        raise NotFound(INVALID_LINK)
    return link


def _sign(key: bytes, link: _Link, changed_at: datetime | None) -> str:
    """Return the token of a link.

    :param changed_at: the time of the last change; each change makes all other links invalid.
    """
    marker = changed_at.isoformat() if changed_at else ""
    text = f"{_PURPOSE}:{link.subscriber_id}:{link.expires}:{marker}:{link.address}"
    mac = _encoded(hmac.digest(key, text.encode(), "sha256")[:_MAC_BYTES])
    return f"{link.subscriber_id}.{link.expires}.{_encoded(link.address.encode())}.{mac}"


def _encoded(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).decode().rstrip("=")


def _read(token: str) -> _Link:
    """Return the content of a token, whose signature isn't checked yet.

    :raises NotFound: if it is no token of this kind.
    """
    parts = _TOKEN.fullmatch(token)
    if parts is None:
        raise NotFound(INVALID_LINK)
    try:
        address = base64.urlsafe_b64decode(parts[3] + "=" * (-len(parts[3]) % 4)).decode()
    except ValueError:
        raise NotFound(INVALID_LINK) from None
    return _Link(int(parts[1]), int(parts[2]), address)
