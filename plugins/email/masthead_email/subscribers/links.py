"""Links in mails that say whom they were sent to, signed with a key of their own."""

from __future__ import annotations

import base64
import binascii
import hmac
import secrets

from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead import lock
from masthead_email.subscribers.models import LinkKey

UNSUBSCRIBE = "unsubscribe"
UNSUBSCRIBE_PATH = "/api/newsletter/unsubscribe/"

_MAC = 18
"""Bytes of a signature that a link carries."""


def link_key(session: Session) -> bytes:
    """The key that signs links, made where there is none yet; for sessions that write."""
    found = session.scalar(select(LinkKey.secret))
    if found is None:
        lock(session, "email.link_key")
        found = session.scalar(select(LinkKey.secret))
    if found is None:
        found = secrets.token_bytes(32)
        session.add(LinkKey(id=1, secret=found))
        session.flush()
    return bytes(found)


def stored_key(session: Session) -> bytes | None:
    """The key that signs links, for sessions that only read; None before the first link."""
    found = session.scalar(select(LinkKey.secret))
    return None if found is None else bytes(found)


def sign(key: bytes, purpose: str, number: int) -> str:
    """A token for a link, valid as long as what it names exists.

    :param purpose: what the link does, such as ``unsubscribe``; a token serves no other one.
    :param number: the id of what it is about.
    """
    # hmac.digest() of the standard library is one call into OpenSSL: microseconds for each mail.
    mac = hmac.digest(key, f"{purpose}:{number}".encode(), "sha256")[:_MAC]
    return f"{number}-{base64.urlsafe_b64encode(mac).decode()}"


def read(key: bytes, purpose: str, token: str) -> int | None:
    """The id that a token names; None where it isn't ours, or serves another purpose."""
    number, _, mac = token.partition("-")
    if not (number.isascii() and number.isdigit()) or len(number) > 19 or number[0] == "0":
        return None
    try:
        given = base64.b64decode(mac.encode("ascii"), altchars=b"-_", validate=True)
    except (binascii.Error, UnicodeEncodeError):
        return None
    wanted = hmac.digest(key, f"{purpose}:{number}".encode(), "sha256")[:_MAC]
    return int(number) if hmac.compare_digest(given, wanted) else None
