"""Building envelopes of deliveries: a message is compiled once and filled in per recipient."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import select

from masthead import Instance, api_address
from masthead_email.addresses import ascii_domain
from masthead_email.delivery.store import Claimed
from masthead_email.outbox.models import ACCOUNT, NEWSLETTER, NOTICE, Message
from masthead_email.rendering.link_placeholders import PREFERENCES, UNSUBSCRIBE
from masthead_email.rendering.mime import MimeTemplate, Recipient
from masthead_email.results import Envelope
from masthead_email.return_paths import delivery_tag, return_path
from masthead_email.settings import BOUNCES, FROM
from masthead_email.subscribers.links import (
    PREFERENCES_PATH,
    UNSUBSCRIBE_PATH,
    click_purpose,
    link_key,
    sign,
    sign_delivery,
)
from masthead_email.webhooks.providers import tracking_headers

if TYPE_CHECKING:
    from masthead_email.rendering.signing import Signer

_CACHE_SIZE = 20
"""The number of compiled messages to cache; each is as large as its source."""


@dataclass(frozen=True, slots=True)
class _Compiled:
    template: MimeTemplate
    click_purpose: str
    """The purpose of the tokens in its tracked links; blank if it has none."""


class EnvelopeBuilder:
    """Builds the envelopes of deliveries.

    :param signer: signs each message; None if the relay does.
    """

    def __init__(self, instance: Instance, signer: Signer | None = None) -> None:
        self._signer = signer
        self._database = instance.database
        with instance.database.transaction() as session:
            self._key = link_key(session)
        paths = {UNSUBSCRIBE: UNSUBSCRIBE_PATH, PREFERENCES: PREFERENCES_PATH}
        self._links = {name: api_address(instance.settings, path) for name, path in paths.items()}
        self._bounces = instance.settings[BOUNCES]
        self._from = instance.settings[FROM].address
        self._tracking = tracking_headers(instance)
        self._templates: OrderedDict[int, _Compiled] = OrderedDict()

    def build(self, claimed: Claimed) -> Envelope:
        """Return the envelope of a delivery: addresses and content.

        :raises ValueError: if its address is invalid in a header.
        """
        compiled = self._compiled(claimed.message_id)
        template = compiled.template
        linked = template.unsubscribe or claimed.subscriber_id is not None
        content = template.fill(
            Recipient(
                number=claimed.id,
                address=claimed.address,
                name=claimed.name or "",
                unsubscribe=self._address(UNSUBSCRIBE, claimed) if linked else "",
                preferences=self._address(PREFERENCES, claimed) if linked else "",
                values=claimed.values or {},
                click=self._click(compiled, claimed) if compiled.click_purpose else "",
            )
        )
        if self._signer is not None:
            content = self._signer.sign(content)
        tag = delivery_tag(self._key, claimed.id)
        tracking = self._tracking.replace("%s", tag).encode()
        sender = self._return_path(claimed.id)
        recipient = ascii_domain(claimed.address)
        return Envelope(
            delivery_id=claimed.id,
            message_id=claimed.message_id,
            sender=sender.encode(),
            recipient=recipient.encode(),
            content=tracking + content,
            utf8=not (recipient.isascii() and sender.isascii() and content.isascii()),
            pausable=claimed.pausable,
        )

    def _address(self, purpose: str, claimed: Claimed) -> str:
        """Return the recipient's link for a purpose."""
        if claimed.subscriber_id is not None:
            # Laws require that a person can unsubscribe by an old letter, too.
            address = None if purpose == UNSUBSCRIBE else claimed.address
            return self._links[purpose] + sign(self._key, purpose, claimed.subscriber_id, address)
        token = sign_delivery(self._key, purpose, claimed.id, claimed.address)
        return self._links[purpose] + token

    def _click(self, compiled: _Compiled, claimed: Claimed) -> str:
        """Return the token of the recipient's tracked links."""
        if claimed.subscriber_id is None:
            return ""
        return sign(self._key, compiled.click_purpose, claimed.subscriber_id)

    def _return_path(self, delivery_id: int) -> str:
        if not self._bounces:
            return ascii_domain(self._from)
        return ascii_domain(return_path(self._key, self._bounces, delivery_id))

    def _compiled(self, message_id: int) -> _Compiled:
        compiled = self._templates.get(message_id)
        if compiled is None:
            with self._database.session(read_only=True) as session:
                message = session.scalars(select(Message).where(Message.id == message_id)).one()
                automatic = message.kind in (NOTICE, ACCOUNT)
                template = MimeTemplate(message, auto_submitted=automatic, values=message.values)
                tracked = template.tracked and message.kind == NEWSLETTER
                purpose = click_purpose(message.source_id) if tracked else ""
            compiled = self._templates[message_id] = _Compiled(template, purpose)
            if len(self._templates) > _CACHE_SIZE:
                self._templates.popitem(last=False)
        return compiled
