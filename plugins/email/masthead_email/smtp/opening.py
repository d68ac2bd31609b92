"""Opening a connection: greeting, EHLO, STARTTLS with the certificate checked, AUTH."""

from __future__ import annotations

import base64
import socket
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass

from masthead_email.smtp.relay import STARTTLS, WRAPPED, Relay
from masthead_email.smtp.replies import ProtocolError, Replies, Reply

PIPELINING, SMTPUTF8 = "PIPELINING", "SMTPUTF8"


class RelayDownError(Exception):
    """Nothing can be handed over now; later perhaps."""


class RelayBusyError(RelayDownError):
    """The relay takes no connection more."""


class RelayRefusesError(Exception):
    """The relay will never take anything as it is asked now."""


@dataclass(frozen=True)
class Opened:
    """A connection on which mail can be handed over."""

    socket: socket.socket
    extensions: Mapping[str, str]
    """What the relay can do, in capitals, with what it says of it."""


def open_connection(relay: Relay, our_name: str, timeout: float) -> Opened:
    """Connect to a relay and say who we are.

    :param our_name: the name of this host, as EHLO says it.
    :param timeout: seconds for each step.
    :raises RelayDownError: where it can't be reached, or doesn't answer as a relay does.
    :raises RelayBusyError: where it takes no connection more.
    :raises RelayRefusesError: where it refuses us, or can't be trusted.
    """
    try:
        connected = socket.create_connection((relay.host, relay.port), timeout)
    except OSError as error:
        raise RelayDownError(f"{relay.name} can't be reached: {_reason(error)}") from error
    dialogue = _Dialogue(connected, relay, our_name, timeout)
    try:
        return dialogue.open()
    except ssl.SSLCertVerificationError as error:
        dialogue.socket.close()
        raise RelayRefusesError(
            f"the certificate of {relay.name} isn't trusted: {error.verify_message}"
        ) from error
    except (OSError, ProtocolError) as error:
        dialogue.socket.close()
        raise RelayDownError(f"{relay.name} doesn't answer: {_reason(error)}") from error
    except BaseException:
        dialogue.socket.close()
        raise


class _Dialogue:
    """One question after the other, until the connection is open."""

    def __init__(
        self, connected: socket.socket, relay: Relay, our_name: str, timeout: float
    ) -> None:
        self.socket = connected
        self._relay = relay
        self._our_name = our_name
        self._timeout = timeout
        self._replies = Replies()
        self._waiting: list[Reply] = []

    def open(self) -> Opened:
        if self._relay.tls == WRAPPED:
            self._wrap()
        greeting = self._read()
        self._check(greeting, "it refuses connections")
        extensions = self._greet()
        if self._relay.tls == STARTTLS:
            if "STARTTLS" not in extensions:
                raise RelayRefusesError(f"{self._relay.name} offers no STARTTLS")
            self._check(self._ask("STARTTLS"), "it refuses STARTTLS")
            # What came before the handshake may be anybody's (RFC 3207).
            self._replies, self._waiting = Replies(), []
            self._wrap()
            extensions = self._greet()
        if self._relay.user:
            self._log_in(extensions)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return Opened(self.socket, extensions)

    def _wrap(self) -> None:
        context = ssl.create_default_context(cafile=self._relay.authority)
        self.socket = context.wrap_socket(self.socket, server_hostname=self._relay.host)

    def _greet(self) -> dict[str, str]:
        reply = self._ask(f"EHLO {self._our_name}")
        if reply.positive:
            lines = [line.strip() for line in reply.text.upper().split("\n")[1:]]
            return {word: rest for word, _, rest in (line.partition(" ") for line in lines)}
        if not reply.closing:
            reply = self._ask(f"HELO {self._our_name}")
        self._check(reply, "it refuses to talk")
        return {}

    def _log_in(self, extensions: Mapping[str, str]) -> None:
        # "AUTH=LOGIN" is how old servers wrote it.
        said = " ".join(f"{word} {rest}" for word, rest in extensions.items())
        offered = said.replace("=", " ").split()
        user, password = self._relay.user, self._relay.password
        if "AUTH" not in offered:
            raise RelayRefusesError(f"{self._relay.name} offers no AUTH")
        if "PLAIN" in offered:
            reply = self._ask("AUTH PLAIN " + _encoded(f"\0{user}\0{password}"))
        elif "LOGIN" in offered:
            reply = self._ask("AUTH LOGIN")
            for answer in (user, password):
                if reply.code == 334:
                    reply = self._ask(_encoded(answer))
        else:
            raise RelayRefusesError(f"{self._relay.name} offers neither AUTH PLAIN nor AUTH LOGIN")
        self._check(reply, "it refuses user and password")

    def _check(self, reply: Reply, refusal: str) -> None:
        if reply.closing:
            raise RelayBusyError(f"{self._relay.name}: {reply}")
        if reply.passing:
            raise RelayDownError(f"{self._relay.name}: {reply}")
        if not reply.positive:
            raise RelayRefusesError(f"{self._relay.name}: {refusal}: {reply}")

    def _ask(self, command: str) -> Reply:
        self.socket.settimeout(self._timeout)
        self.socket.sendall(command.encode() + b"\r\n")
        return self._read()

    def _read(self) -> Reply:
        # For the whole reply, or a byte a minute would keep us for ever.
        deadline = time.monotonic() + self._timeout
        while not self._waiting:
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError("no reply in time")
            self.socket.settimeout(left)
            octets = self.socket.recv(65536)
            if not octets:
                raise ConnectionError("it closed the connection")
            self._waiting = list(self._replies.feed(octets))
        return self._waiting.pop(0)


def _encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error) or type(error).__name__
