"""Envelopes for deliveries: each message is read and prepared once, and filled in for many."""

from __future__ import annotations

import hashlib
import hmac
from collections import OrderedDict

from sqlalchemy import select

from masthead import Instance, api_address
from masthead_email.addresses import ascii_domain
from masthead_email.delivery.store import Claimed
from masthead_email.outbox.models import ACCOUNT, NOTICE, Message
from masthead_email.rendering.mime import MimeTemplate, Recipient
from masthead_email.results import Envelope
from masthead_email.settings import BOUNCES, FROM
from masthead_email.subscribers.links import UNSUBSCRIBE, UNSUBSCRIBE_PATH, link_key, sign

_KEPT = 20
"""Prepared messages that are kept, each as large as what staff wrote."""


class Envelopes:
    """Makes envelopes of deliveries."""

    def __init__(self, instance: Instance) -> None:
        self._database = instance.database
        with instance.database.transaction() as session:
            self._key = link_key(session)
        self._link = api_address(instance.settings, UNSUBSCRIBE_PATH)
        self._bounces = instance.settings[BOUNCES]
        self._from = instance.settings[FROM].address
        self._prepared: OrderedDict[int, MimeTemplate] = OrderedDict()

    def envelope(self, claimed: Claimed) -> Envelope:
        """The letter of a delivery, and whom it goes to.

        :raises ValueError: where its address can't be used.
        """
        letter = self._letter(claimed.message_id)
        token = "" if claimed.subscriber_id is None else self._token(claimed.subscriber_id)
        content = letter.fill(
            Recipient(
                number=claimed.id,
                address=claimed.address,
                name=claimed.name or "",
                unsubscribe=self._link + token if token else "",
                values=claimed.values or {},
            )
        )
        sender = self._return_path(claimed.id)
        recipient = ascii_domain(claimed.address)
        return Envelope(
            delivery_id=claimed.id,
            message_id=claimed.message_id,
            sender=sender.encode(),
            recipient=recipient.encode(),
            content=content,
            utf8=not (recipient.isascii() and sender.isascii() and content.isascii()),
            pausable=claimed.pausable,
        )

    def _token(self, subscriber_id: int) -> str:
        return sign(self._key, UNSUBSCRIBE, subscriber_id)

    def _return_path(self, delivery_id: int) -> str:
        if not self._bounces:
            return ascii_domain(self._from)
        return ascii_domain(return_path(self._key, self._bounces, delivery_id))

    def _letter(self, message_id: int) -> MimeTemplate:
        letter = self._prepared.get(message_id)
        if letter is None:
            with self._database.session(read_only=True) as session:
                message = session.scalars(select(Message).where(Message.id == message_id)).one()
                letter = MimeTemplate(message, auto_submitted=message.kind in (NOTICE, ACCOUNT))
            self._prepared[message_id] = letter
            if len(self._prepared) > _KEPT:
                self._prepared.popitem(last=False)
        return letter


def return_path(key: bytes, bounces: str, delivery_id: int) -> str:
    """The address to which a letter returns, so that it tells which one it was (VERP).

    It is signed, or anybody could send what looks like returned mail, and silence an address.
    """
    local, _, domain = bounces.rpartition("@")
    return f"{local}+{delivery_id}-{_signature(key, delivery_id)}@{domain}"


def returned(key: bytes, address: str) -> int | None:
    """The delivery whose return path an address is; None where it isn't one of ours."""
    tag = address.rpartition("@")[0].rpartition("+")[2]
    number, _, signature = tag.partition("-")
    if not (number.isascii() and number.isdigit()) or len(number) > 18:
        return None
    ours = hmac.compare_digest(signature.lower().encode(), _signature(key, int(number)).encode())
    return int(number) if ours else None


def _signature(key: bytes, delivery_id: int) -> str:
    # Hexadecimal, as mail servers are free to change the case of an address.
    return hmac.new(key, f"bounce:{delivery_id}".encode(), hashlib.sha256).hexdigest()[:16]
