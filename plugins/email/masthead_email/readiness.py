"""Checks of the mail configuration: sender, relay, test message."""

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
class CheckResult:
    """The result of one check."""

    ok: bool
    text: str


def check(instance: Instance, to: str | None) -> Iterator[CheckResult]:
    """Yield the result of each check; stop when later checks can't succeed.

    :param to: the recipient of a test message; None sends none.
    """
    sender = instance.settings[FROM]
    yield _check_sender(sender)
    bounces = instance.settings[BOUNCES]
    yield CheckResult(True, f"return path: {bounces or sender.address}")
    address = instance.settings[TRANSPORT]
    try:
        transport = simple_transport(instance, address)
        relay = read_relay(address) if transport is None else None
    except (StartError, ValueError) as error:
        yield CheckResult(False, f"{TRANSPORT.name}: {error}")
        return
    if transport is not None:
        yield CheckResult(True, f"transport: {type(transport).__name__}, no relay")
        if to is not None:
            yield _test_result(transport.send(_test_message(sender, to)), to)
        return
    assert relay is not None
    yield from _check_relay(relay, instance.settings[TIMEOUT], sender, to)


def _check_sender(sender: Mailbox) -> CheckResult:
    if ascii_domain(sender.address).rpartition(".")[2].rpartition("@")[2] in _LOCAL:
        return CheckResult(False, f"{FROM.name}: {sender.address} can't receive replies")
    return CheckResult(True, f"sender: {sender}")


def _check_relay(
    relay: Relay, timeout: float, sender: Mailbox, to: str | None
) -> Iterator[CheckResult]:
    try:
        opened = open_connection(relay, "localhost.localdomain", timeout)
    except (RelayDownError, RelayRejectedError) as error:
        yield CheckResult(False, str(error))
        return
    yield CheckResult(
        True, f"the relay {relay.name} answers{'' if relay.tls == NONE else ' by TLS'}"
    )
    if relay.tls == NONE and relay.user:
        yield CheckResult(
            False, "the password is sent without TLS: add ?tls=starttls or use smtps://"
        )
    if PIPELINING not in opened.extensions:
        yield CheckResult(
            True, "the relay doesn't support pipelining: sending is slow over long distances"
        )
    if to is None:
        opened.socket.close()
        return
    yield _test_result(_send(opened, _test_message(sender, to), timeout), to)


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


def _test_result(result: Result, to: str) -> CheckResult:
    if result.outcome == SENT:
        return CheckResult(True, f"a test message to {to} was accepted")
    return CheckResult(False, f"a test message to {to} was rejected: {result.error}")


def _test_message(sender: Mailbox, to: str) -> Envelope:
    message = SimpleNamespace(
        subject="A test message from Masthead",
        sender=str(sender),
        reply_to=None,
        html=None,
        text="Masthead can send mail.",
        unsubscribe=False,
        message_id_seed=secrets.token_hex(12),
        created_at=utcnow(),
    )
    recipient = Recipient(number=0, address=to, name="", unsubscribe="", values={})
    address = ascii_domain(to)
    content = MimeTemplate(message, auto_submitted=True).fill(recipient)
    return Envelope(
        delivery_id=0,
        message_id=0,
        sender=ascii_domain(sender.address).encode(),
        recipient=address.encode(),
        content=content,
        utf8=not (address.isascii() and content.isascii()),
    )
