"""Signed links in mails, which identify the recipient."""

from __future__ import annotations

import base64
import binascii
import hmac
import secrets

from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead import lock
from masthead_email.subscribers.models import LinkKey

UNSUBSCRIBE_PATH = "/api/newsletter/unsubscribe/"
PREFERENCES_PATH = "/api/newsletter/preferences/"
CLICK_PATH = "/api/newsletter/click/"

_DELIVERY = "d"
"""The start of the tokens for recipients of a delivery."""
_MAX_DIGITS = 18
_MAC_BYTES = 18
"""The number of bytes of the signature in a token."""


def link_key(session: Session) -> bytes:
    """Return the key that signs links; create it if it is missing, in a session that writes."""
    key = session.scalar(select(LinkKey.secret))
    if key is None:
        lock(session, "email.link_key")
        key = session.scalar(select(LinkKey.secret))
    if key is None:
        key = secrets.token_bytes(32)
        session.add(LinkKey(id=1, secret=key))
        session.flush()
    return bytes(key)


def stored_key(session: Session) -> bytes | None:
    """Return the key that signs links, in a session that only reads; None before the first link."""
    key = session.scalar(select(LinkKey.secret))
    return None if key is None else bytes(key)


def sign(key: bytes, purpose: str, subscriber_id: int, address: str | None = None) -> str:
    """Return the token of a link; it is valid as long as the subscriber exists.

    :param purpose: the effect of the link, such as ``unsubscribe``; the token is valid for no
        other one.
    :param address: the subscriber's address, if the token ends with a change of it.
    """
    mac = _subscriber_mac(key, purpose, subscriber_id, address)
    return f"{subscriber_id}-{base64.urlsafe_b64encode(mac).decode()}"


def click_purpose(newsletter_id: int | None) -> str:
    """Return the purpose of the tracked links of a newsletter.

    A token of one newsletter is invalid for the links of another one.
    """
    return f"click:{newsletter_id}"


def sign_delivery(key: bytes, purpose: str, delivery_id: int, address: str) -> str:
    """Return the token of a link for a recipient who may be no subscriber.

    It is valid as long as the delivery exists and has this address.
    """
    mac = _delivery_mac(key, purpose, delivery_id, address)
    return f"{_DELIVERY}{delivery_id}-{base64.urlsafe_b64encode(mac).decode()}"


def delivery_of(token: str) -> int | None:
    """Return the id of the delivery that a token names; None if it names none."""
    number = token.removeprefix(_DELIVERY).partition("-")[0]
    is_id = number.isascii() and number.isdigit() and len(number) <= _MAX_DIGITS
    return int(number) if token.startswith(_DELIVERY) and is_id else None


def is_delivery_token(key: bytes, purpose: str, token: str, address: str) -> bool:
    """Whether a token is that of the delivery to an address."""
    number = delivery_of(token)
    if number is None:
        return False
    expected = sign_delivery(key, purpose, number, address)
    return hmac.compare_digest(token.encode(errors="replace"), expected.encode())


def _delivery_mac(key: bytes, purpose: str, delivery_id: int, address: str) -> bytes:
    # The address is signed as well, because ids of deleted deliveries may be used again.
    text = f"{purpose}:delivery:{delivery_id}:{address}"
    return hmac.digest(key, text.encode(), "sha256")[:_MAC_BYTES]


def subscriber_of(token: str) -> int | None:
    """Return the subscriber id that a token names; None if it names none."""
    number = token.partition("-")[0]
    if not (number.isascii() and number.isdigit()) or len(number) > _MAX_DIGITS or number[0] == "0":
        return None
    return int(number)


def verify(key: bytes, purpose: str, token: str, address: str | None = None) -> int | None:
    """Return the subscriber id of a token; None if the signature or the purpose is wrong.

    :param address: the subscriber's address, for a token that ends with a change of it.
    """
    subscriber_id = subscriber_of(token)
    if subscriber_id is None:
        return None
    try:
        mac = token.partition("-")[2].encode("ascii")
        given = base64.b64decode(mac, altchars=b"-_", validate=True)
    except (binascii.Error, UnicodeEncodeError):
        return None
    expected = _subscriber_mac(key, purpose, subscriber_id, address)
    return subscriber_id if hmac.compare_digest(given, expected) else None


def _subscriber_mac(key: bytes, purpose: str, subscriber_id: int, address: str | None) -> bytes:
    text = f"{purpose}:{subscriber_id}"
    text += f":{address}" if address is not None else ""
    # hmac.digest() of the standard library is one call into OpenSSL: microseconds for each mail.
    return hmac.digest(key, text.encode(), "sha256")[:_MAC_BYTES]
