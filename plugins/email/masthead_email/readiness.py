"""Checks of the mail configuration: sender, DNS, outbox, relay, test message."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from datetime import timedelta
from types import SimpleNamespace
from typing import TYPE_CHECKING

from masthead import Instance, StartError, texts_of, utcnow
from masthead_email.addresses import ascii_domain
from masthead_email.checks import CheckResult
from masthead_email.delivery.transports import simple_transport
from masthead_email.dns_records import check_dns
from masthead_email.outbox.models import RelayState
from masthead_email.rendering.mime import MimeTemplate, Recipient
from masthead_email.rendering.signers import configured_signer
from masthead_email.results import SENT, Envelope, Result
from masthead_email.settings import BOUNCES, FROM, LOGIN_WINDOW, TIMEOUT, TRANSPORT
from masthead_email.smtp.channel import Channel
from masthead_email.smtp.clock import greeting_time
from masthead_email.smtp.handshake import (
    PIPELINING,
    RelayConnection,
    RelayDownError,
    RelayRejectedError,
    open_connection,
)
from masthead_email.smtp.probe import probe
from masthead_email.smtp.relay import NONE, Relay, read_relay
from masthead_email.smtp.replies import ProtocolError
from masthead_email.status import outbox_trouble, relay_trouble

if TYPE_CHECKING:
    from masthead_email.rendering.signing import Signer

CLOCK_BOUND = timedelta(seconds=60)
"""The difference between the clocks of this machine and of the relay that is tolerated."""
_LOCAL = ("localhost", "test", "example", "invalid", "local")


def check(instance: Instance, to: str | None) -> Iterator[CheckResult]:
    """Yield the result of each check; stop when later checks can't succeed.

    :param to: the recipient of a test message; None sends none.
    """
    sender = instance.settings[FROM]
    yield check_sender(instance)
    return_path = instance.settings[BOUNCES] or sender.address
    yield CheckResult(True, f"return path: {return_path}")
    if not is_local_sender(instance):
        yield from check_dns(instance)
    yield _check_outbox(instance)
    address = instance.settings[TRANSPORT]
    try:
        transport = simple_transport(instance, address)
        relay = read_relay(address) if transport is None else None
        signer = configured_signer(instance)
    except (StartError, ValueError) as error:
        text = str(error)
        named = text.startswith("masthead.")
        yield CheckResult(False, text if named else f"{TRANSPORT.name}: {text}")
        return
    message = None if to is None else _test_message(instance, to, signer)
    if transport is not None:
        yield CheckResult(True, f"transport: {type(transport).__name__}, no relay")
        if message is not None:
            yield _test_result(transport.send(message), message)
        return
    assert relay is not None
    yield from _check_limits(instance, relay)
    yield from check_relay(instance, relay, instance.settings[TIMEOUT], message)


def is_local_sender(instance: Instance) -> bool:
    """Whether the domain of the sender exists only on this machine or nowhere."""
    address = ascii_domain(instance.settings[FROM].address)
    return address.rpartition(".")[2].rpartition("@")[2] in _LOCAL


def check_sender(instance: Instance) -> CheckResult:
    """Return whether the sender can receive replies."""
    sender = instance.settings[FROM]
    if is_local_sender(instance):
        return CheckResult(False, f"{FROM.name}: {sender.address} can't receive replies")
    return CheckResult(True, f"sender: {sender}")


def _check_outbox(instance: Instance) -> CheckResult:
    trouble = outbox_trouble(instance)
    if trouble is None:
        return CheckResult(True, "outbox: nothing is paused")
    return CheckResult(False, f"outbox: {trouble}; masthead mail resume sends again")


def _check_limits(instance: Instance, relay: Relay) -> Iterator[CheckResult]:
    """Yield what the workers have learned about the relay."""
    trouble = relay_trouble(instance)
    if trouble is not None:
        yield CheckResult(False, f"the workers wait for the relay: {trouble}")
    with instance.database.session(read_only=True) as session:
        state = session.get(RelayState, relay.name)
    if state is not None and state.message_limit is not None:
        yield CheckResult(True, f"learned: {state.message_limit} messages on a connection")
    if state is not None and state.login_limit is not None:
        window = instance.settings[LOGIN_WINDOW]
        yield CheckResult(True, f"learned: {state.login_limit} logins in {window} s")
    if state is not None and state.rate_limit is not None:
        window = instance.settings[LOGIN_WINDOW]
        yield CheckResult(True, f"learned: {state.rate_limit} messages in {window} s")


def check_relay(
    instance: Instance, relay: Relay, timeout: float, message: Envelope | None
) -> Iterator[CheckResult]:
    """Yield whether the relay accepts a connection, the login, and a message from the sender.

    :param timeout: the seconds to wait for each reply.
    :param message: the message to send; None sends none.
    """
    sender = instance.settings[BOUNCES] or instance.settings[FROM].address
    try:
        opened = open_connection(relay, "localhost.localdomain", timeout)
    except (RelayDownError, RelayRejectedError) as error:
        yield CheckResult(False, str(error))
        return
    with opened.socket:
        yield CheckResult(
            True, f"the relay {relay.name} answers{'' if relay.tls == NONE else ' by TLS'}"
        )
        if relay.tls == NONE and relay.user:
            yield CheckResult(
                False, "the password is sent without TLS: add ?tls=starttls or use smtps://"
            )
        yield from _check_clock(opened)
        yield from _check_extensions(opened)
        recipient = sender if message is None else message.recipient.decode()
        try:
            for command, reply in probe(opened, ascii_domain(sender), recipient, timeout):
                yield CheckResult(reply.is_positive, f"{command}: {reply}")
        except (OSError, ProtocolError) as error:
            yield CheckResult(False, f"the relay doesn't answer: {error}")
            return
        if message is not None:
            yield _test_result(_send(opened, message, timeout), message)


def _check_clock(opened: RelayConnection) -> Iterator[CheckResult]:
    """Yield whether the clocks agree, if the relay tells its time."""
    theirs = greeting_time(opened.greeting)
    if theirs is None:
        return
    ahead = (utcnow() - theirs).total_seconds()
    if abs(ahead) <= CLOCK_BOUND.total_seconds():
        yield CheckResult(True, "the clock of the relay agrees")
        return
    side = "ahead of" if ahead > 0 else "behind"
    yield CheckResult(
        False,
        f"this machine's clock is {abs(ahead):.0f} s {side} the relay's; receivers may take mail"
        " with a wrong date for spam",
    )


def _check_extensions(opened: RelayConnection) -> Iterator[CheckResult]:
    names = ", ".join(sorted(opened.extensions)) or "none"
    yield CheckResult(True, f"extensions of the relay: {names}")
    size = opened.extensions.get("SIZE", "")
    if size.isdigit() and int(size):
        yield CheckResult(True, f"the relay accepts messages of {int(size):,} bytes")
    if PIPELINING not in opened.extensions:
        yield CheckResult(
            True, "the relay doesn't support pipelining: sending is slow over long distances"
        )


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


def _test_result(result: Result, message: Envelope) -> CheckResult:
    to = message.recipient.decode()
    if result.outcome == SENT:
        return CheckResult(True, f"a test message to {to} was accepted")
    return CheckResult(False, f"a test message to {to} was rejected: {result.error}")


def _test_message(instance: Instance, to: str, signer: Signer | None) -> Envelope:
    texts, sender = texts_of(instance), instance.settings[FROM]
    written = texts.render_mail("email/mails/test.txt", texts.language())
    message = SimpleNamespace(
        subject=written.subject,
        sender=str(sender),
        reply_to=None,
        html=None,
        text=written.text,
        unsubscribe=False,
        message_id_seed=secrets.token_hex(12),
        created_at=utcnow(),
    )
    recipient = Recipient(number=0, address=to, name="", unsubscribe="", values={})
    address = ascii_domain(to)
    content = MimeTemplate(message, auto_submitted=True).fill(recipient)
    if signer is not None:
        content = signer.sign(content)
    return Envelope(
        delivery_id=0,
        message_id=0,
        sender=ascii_domain(sender.address).encode(),
        recipient=address.encode(),
        content=content,
        utf8=not (address.isascii() and content.isascii()),
    )
