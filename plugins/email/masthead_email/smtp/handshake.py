"""The SMTP handshake: greeting, EHLO, STARTTLS with certificate verification, AUTH."""

from __future__ import annotations

import base64
import socket
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass

from masthead_email.smtp.relay import STARTTLS, WRAPPED, Relay
from masthead_email.smtp.replies import ProtocolError, Reply, ReplyParser, is_about_rate

PIPELINING, SMTPUTF8 = "PIPELINING", "SMTPUTF8"


class RelayDownError(Exception):
    """The relay is unavailable, possibly for a short time."""


class RelayAwayError(RelayDownError):
    """The relay can't be reached, or doesn't answer."""


class RelayBusyError(RelayDownError):
    """The relay answers, and accepts no further connection or login at the moment."""


class RelayLimitError(RelayDownError):
    """The relay accepts no more messages for some time."""


class RelayRefusesError(RelayDownError):
    """The relay refuses all recipients of mail that can't be paused."""


class RelayRejectedError(Exception):
    """The relay permanently rejects us, or isn't trusted, with the current configuration."""


def accepts_nothing(words: str) -> RelayDownError:
    """Return the error for a relay that accepts no message at the moment.

    :param words: its last words, or a description of its behaviour.
    """
    error = RelayLimitError if is_about_rate(words) else RelayDownError
    return error(f"the relay accepts nothing: {words}")


@dataclass(frozen=True)
class RelayConnection:
    """An open connection that is ready for mail."""

    socket: socket.socket
    extensions: Mapping[str, str]
    """The advertised extensions in upper case, with their parameters."""
    greeting: str = ""
    """The text of its first reply."""


def open_connection(relay: Relay, host_name: str, timeout: float) -> RelayConnection:
    """Connect to a relay, negotiate TLS and authenticate.

    :param host_name: the name of this host for EHLO.
    :param timeout: seconds to wait for each reply.
    :raises RelayAwayError: if it can't be reached or violates the protocol.
    :raises RelayBusyError: if it accepts no further connection or login.
    :raises RelayRejectedError: if it rejects us, or its certificate isn't trusted.
    """
    try:
        connected = socket.create_connection((relay.host, relay.port), timeout)
    except OSError as error:
        raise RelayAwayError(f"{relay.name} can't be reached: {_reason(error)}") from error
    handshake = _Handshake(connected, relay, host_name, timeout)
    try:
        return handshake.open()
    except ssl.SSLCertVerificationError as error:
        handshake.socket.close()
        raise RelayRejectedError(
            f"the certificate of {relay.name} isn't trusted: {error.verify_message}"
        ) from error
    except (OSError, ProtocolError) as error:
        handshake.socket.close()
        raise RelayAwayError(f"{relay.name} doesn't answer: {_reason(error)}") from error
    except BaseException:
        handshake.socket.close()
        raise


class _Handshake:
    """Sends the commands of the handshake in lock step."""

    def __init__(
        self, connected: socket.socket, relay: Relay, host_name: str, timeout: float
    ) -> None:
        self.socket = connected
        self._relay = relay
        self._host_name = host_name
        self._timeout = timeout
        self._replies = ReplyParser()
        self._unread: list[Reply] = []

    def open(self) -> RelayConnection:
        if self._relay.tls == WRAPPED:
            self._start_tls()
        greeting = self._read()
        self._check(greeting, "connection rejected")
        extensions = self._say_hello()
        if self._relay.tls == STARTTLS:
            if "STARTTLS" not in extensions:
                raise RelayRejectedError(f"{self._relay.name} offers no STARTTLS")
            reply = self._command("STARTTLS")
            if reply.is_transient and not reply.is_closing:
                raise RelayDownError(f"{self._relay.name}: {reply}")
            self._check(reply, "STARTTLS rejected")
            # Input from before TLS may be injected by an attacker (RFC 3207).
            self._replies, self._unread = ReplyParser(), []
            self._start_tls()
            extensions = self._say_hello()
        if self._relay.user:
            self._authenticate(extensions)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return RelayConnection(self.socket, extensions, greeting.text)

    def _start_tls(self) -> None:
        context = ssl.create_default_context(cafile=self._relay.authority)
        self.socket = context.wrap_socket(self.socket, server_hostname=self._relay.host)

    def _say_hello(self) -> dict[str, str]:
        reply = self._command(f"EHLO {self._host_name}")
        if reply.is_positive:
            lines = [line.strip() for line in reply.text.upper().split("\n")[1:]]
            return {word: rest for word, _, rest in (line.partition(" ") for line in lines)}
        if not reply.is_closing:
            reply = self._command(f"HELO {self._host_name}")
        self._check(reply, "EHLO and HELO rejected")
        return {}

    def _authenticate(self, extensions: Mapping[str, str]) -> None:
        # Old servers advertise "AUTH=LOGIN".
        advertised = " ".join(f"{word} {rest}" for word, rest in extensions.items())
        offered = advertised.replace("=", " ").split()
        user, password = self._relay.user, self._relay.password
        if "AUTH" not in offered:
            raise RelayRejectedError(f"{self._relay.name} offers no AUTH")
        if "PLAIN" in offered:
            reply = self._command("AUTH PLAIN " + _encoded(f"\0{user}\0{password}"))
        elif "LOGIN" in offered:
            reply = self._command("AUTH LOGIN")
            for answer in (user, password):
                if reply.code == 334:
                    reply = self._command(_encoded(answer))
        else:
            raise RelayRejectedError(f"{self._relay.name} offers neither AUTH PLAIN nor AUTH LOGIN")
        self._check(reply, "authentication failed")

    def _check(self, reply: Reply, rejection: str) -> None:
        if reply.is_transient:
            raise RelayBusyError(f"{self._relay.name}: {reply}")
        if not reply.is_positive:
            raise RelayRejectedError(f"{self._relay.name}: {rejection}: {reply}")

    def _command(self, command: str) -> Reply:
        self.socket.settimeout(self._timeout)
        self.socket.sendall(command.encode() + b"\r\n")
        return self._read()

    def _read(self) -> Reply:
        # The deadline covers the whole reply, or a relay that sends it byte by byte could block us.
        deadline = time.monotonic() + self._timeout
        while not self._unread:
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError("no reply in time")
            self.socket.settimeout(left)
            octets = self.socket.recv(65536)
            if not octets:
                raise ConnectionError("it closed the connection")
            self._unread = list(self._replies.feed(octets))
        return self._unread.pop(0)


def _encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error) or type(error).__name__
