"""Whether mail can leave: settings, the sender's domain, the relay, a test mail."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from types import SimpleNamespace

from masthead import Instance, StartError, utcnow
from masthead_email.addresses import Mailbox, ascii_domain
from masthead_email.delivery.transports import simple_transport
from masthead_email.rendering.mime import MimeTemplate, Recipient
from masthead_email.results import SENT, Envelope, Result
from masthead_email.settings import BOUNCES, FROM, TIMEOUT, TRANSPORT
from masthead_email.smtp.channel import Channel
from masthead_email.smtp.handshake import (
    PIPELINING,
    RelayConnection,
    RelayDownError,
    RelayRejectedError,
    open_connection,
)
from masthead_email.smtp.relay import NONE, Relay, read_relay

_LOCAL = ("localhost", "test", "example", "invalid", "local")


@dataclass(frozen=True)
class Line:
    """One thing that was looked at."""

    well: bool
    text: str


def check(instance: Instance, to: str | None) -> Iterator[Line]:
    """Look at what mail needs, one thing after the other; stops where nothing more can work.

    :param to: whom a test mail is sent to; None for none.
    """
    sender = instance.settings[FROM]
    yield _check_sender(sender)
    bounces = instance.settings[BOUNCES]
    yield Line(True, f"returned mail: {bounces or sender.address}")
    address = instance.settings[TRANSPORT]
    try:
        transport = simple_transport(instance, address)
        relay = read_relay(address) if transport is None else None
    except (StartError, ValueError) as error:
        yield Line(False, f"{TRANSPORT.name}: {error}")
        return
    if transport is not None:
        yield Line(True, f"mail goes by {type(transport).__name__}, to no relay")
        if to is not None:
            yield _tell(transport.send(_test_mail(sender, to)), to)
        return
    assert relay is not None
    yield from _check_relay(relay, instance.settings[TIMEOUT], sender, to)


def _check_sender(sender: Mailbox) -> Line:
    if ascii_domain(sender.address).rpartition(".")[2].rpartition("@")[2] in _LOCAL:
        return Line(False, f"{FROM.name}: nobody can answer to {sender.address}")
    return Line(True, f"mail comes from {sender}")


def _check_relay(relay: Relay, timeout: float, sender: Mailbox, to: str | None) -> Iterator[Line]:
    try:
        opened = open_connection(relay, "localhost.localdomain", timeout)
    except (RelayDownError, RelayRejectedError) as error:
        yield Line(False, str(error))
        return
    yield Line(True, f"the relay {relay.name} answers{'' if relay.tls == NONE else ' by TLS'}")
    if relay.tls == NONE and relay.user:
        yield Line(False, "the password is sent without TLS: add ?tls=starttls, or use smtps://")
    if PIPELINING not in opened.extensions:
        yield Line(True, "it takes one command after the other, which is slow from afar")
    if to is None:
        opened.socket.close()
        return
    yield _tell(_send(opened, _test_mail(sender, to), timeout), to)


def _send(opened: RelayConnection, envelope: Envelope, timeout: float) -> Result:
    channel = Channel(opened, timeout)
    channel.offer(envelope)
    opened.socket.setblocking(True)
    opened.socket.settimeout(timeout)
    results: list[Result] = []
    while not results:
        channel.advance()
        results = channel.receive()
    channel.quit()
    return results[0]


def _tell(result: Result, to: str) -> Line:
    if result.outcome == SENT:
        return Line(True, f"a test mail to {to} was handed over")
    return Line(False, f"a test mail to {to} was refused: {result.error}")


def _test_mail(sender: Mailbox, to: str) -> Envelope:
    mail = SimpleNamespace(
        subject="A test mail from Masthead",
        sender=str(sender),
        reply_to=None,
        html=None,
        text="Mail leaves this Masthead.",
        unsubscribe=False,
        message_id_seed=secrets.token_hex(12),
        created_at=utcnow(),
    )
    recipient = Recipient(number=0, address=to, name="", unsubscribe="", values={})
    address = ascii_domain(to)
    content = MimeTemplate(mail, auto_submitted=True).fill(recipient)
    return Envelope(
        delivery_id=0,
        message_id=0,
        sender=ascii_domain(sender.address).encode(),
        recipient=address.encode(),
        content=content,
        utf8=not (address.isascii() and content.isascii()),
    )
