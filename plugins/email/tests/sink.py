"""A relay for tests and benchmarks, with configurable replies and latency.

As a program it prints its port, and logs a line per accepted message.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import contextlib
import os
import ssl
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

CLOSE = b"\0close"
STALL = b"\0stall"
EXTENSIONS = ("PIPELINING", "8BITMIME", "SMTPUTF8", "ENHANCEDSTATUSCODES")
DEFAULTS = {
    "greeting": b"220 sink.test ready",
    "EHLO": b"",
    "HELO": b"250 sink.test",
    "MAIL": b"250 2.1.0 Ok",
    "RCPT": b"250 2.1.5 Ok",
    "DATA": b"354 go on",
    "dot": b"250 2.0.0 Ok",
    "RSET": b"250 Ok",
    "QUIT": b"221 Bye",
    "AUTH": b"235 2.7.0 Ok",
    "STARTTLS": b"220 go on",
}


@dataclass(frozen=True)
class Taken:
    """An accepted message."""

    sender: bytes
    recipient: bytes
    content: bytes
    at: float


@dataclass
class Limits:
    """The limits of a sink, as relays have them; None for no limit."""

    logins: int | None = None
    """Connections in a window."""
    window: float = 60.0
    connections: int | None = None
    """Connections at once."""
    messages: int | None = None
    """Messages on a connection."""
    messages_reply: bytes = b"421 4.7.0 Too many messages"
    """The reply to one more message; ``CLOSE`` closes the connection without a word."""
    per_window: int | None = None
    """Messages in a window."""
    per_window_reply: bytes = b"452 4.5.3 Too many messages, slow down"
    refused: list[str] = field(default_factory=list)
    """The limit that each refusal is about."""
    _logins: list[float] = field(default_factory=list)
    _messages: list[float] = field(default_factory=list)

    def greeting(self, open_connections: int) -> bytes | None:
        """Return the refusal of a new connection, if one limit is reached."""
        now = time.monotonic()
        self._logins = [at for at in self._logins if now - at < self.window]
        if self.connections is not None and open_connections > self.connections:
            self.refused.append("connections")
            return b"421 4.7.0 Too many connections"
        self._logins.append(now)
        if self.logins is not None and len(self._logins) > self.logins:
            self.refused.append("logins")
            return b"454 4.7.0 Too many login attempts"
        return None

    def mail(self, earlier: int) -> bytes | None:
        """Return the refusal of a further message on a connection, if one limit is reached."""
        if self.messages is not None and earlier >= self.messages:
            self.refused.append("messages")
            return self.messages_reply
        if self.per_window is not None:
            now = time.monotonic()
            self._messages = [at for at in self._messages if now - at < self.window]
            if len(self._messages) >= self.per_window:
                self.refused.append("per window")
                return self.per_window_reply
            self._messages.append(now)
        return None


@dataclass
class Behaviour:
    """The configuration of a sink, and its record."""

    answer: Callable[[str, bytes], bytes | None] = lambda _stage, _said: None
    """Returns the reply to a command or to the content (``dot``); None for the default."""
    extensions: tuple[str, ...] = EXTENSIONS
    latency: float = 0.0
    """The delay of each reply in seconds."""
    tls: ssl.SSLContext | None = None
    wrapped: bool = False
    log: int | None = None
    """A file descriptor to log a line per message to."""
    keep: bool = True
    limits: Limits | None = None
    forgetful: bool = False
    """Whether to discard input that follows a command in the same packet."""
    taken: list[Taken] = field(default_factory=list)
    said: list[bytes] = field(default_factory=list)
    """All commands in order."""
    connections: int = 0
    open_connections: int = 0
    count: int = 0
    servers: list[asyncio.Server] = field(default_factory=list)
    sessions: list[Session] = field(default_factory=list)


class Session(asyncio.Protocol):
    """One connection."""

    def __init__(self, behaviour: Behaviour) -> None:
        self.behaviour = behaviour
        self.buffer = b""
        self.in_data = self.in_mail = False
        self.login: list[bytes] | None = None
        self.sender = self.recipient = b""
        self.silent = False
        self.messages = 0
        self.hangs_up = False
        """Whether the last reply ends the connection."""
        self.secure = behaviour.wrapped
        self.began = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        if not self.began:
            self.began = True
            self.behaviour.connections += 1
            self.behaviour.open_connections += 1
            limits = self.behaviour.limits
            refusal = limits.greeting(self.behaviour.open_connections) if limits else None
            if refusal is None:
                self.reply("greeting", b"")
            else:
                self.send(refusal + b"\r\n")
                self.close()

    def connection_lost(self, _error: Exception | None) -> None:
        self.behaviour.open_connections -= 1

    def data_received(self, data: bytes) -> None:
        if self.silent:
            return
        self.buffer += data
        replies: list[bytes] = []
        while not self.silent:
            end = b"\r\n.\r\n" if self.in_data else b"\r\n"
            if self.in_data and self.buffer.startswith(b".\r\n"):
                content, self.buffer = b"", self.buffer[3:]
            else:
                content, found, rest = self.buffer.partition(end)
                if not found:
                    break
                self.buffer = rest
            said = self.take_content(content) if self.in_data else self.take_command(content)
            if self.behaviour.forgetful:
                self.buffer = b""
            if said in (CLOSE, STALL):
                self.silent = True
                if said == CLOSE:
                    self.send(b"".join(replies))
                    self.close()
                    return
                break
            replies.append(said)
            if self.hangs_up:
                self.silent = True
                self.send(b"".join(replies))
                self.close()
                return
        self.send(b"".join(replies))

    def take_content(self, content: bytes) -> bytes:
        self.in_data = self.in_mail = False
        answer = self.behaviour.answer("dot", self.recipient)
        if not self.recipient:
            answer = b"554 5.5.1 No valid recipients"
        if answer is None or answer.startswith(b"2"):
            self.behaviour.count += 1
            if self.behaviour.log is not None:
                start = content.index(b"\r\nMessage-ID: <") + 15
                number = content[start : content.index(b">", start)]
                line = b"%b %b %d\n" % (number, self.recipient, time.time_ns() // 1000)
                os.write(self.behaviour.log, line)
            if self.behaviour.keep:
                whole = (b"\r\n" + content).replace(b"\r\n..", b"\r\n.")[2:] + b"\r\n"
                taken = Taken(self.sender, self.recipient, whole, time.time())
                self.behaviour.taken.append(taken)
        return self.line("dot", answer)

    def take_command(self, said: bytes) -> bytes:
        if self.behaviour.keep:
            self.behaviour.said.append(said)
        if self.login is not None:
            return self.take_login(said)
        verb = said[:4].upper().decode("latin-1")
        verb = "STARTTLS" if said.upper() == b"STARTTLS" else verb
        answer = self.behaviour.answer(verb, said)
        if verb == "QUIT":
            self.silent = True
            self.close()
            return b""
        if verb == "MAIL" and self.behaviour.limits is not None:
            answer = answer or self.behaviour.limits.mail(self.messages)
            self.messages += 1
            self.hangs_up = answer is not None and answer.startswith(b"421")
        if verb == "DATA" and (answer is None or answer.startswith(b"354")):
            self.in_data = True
        if answer is not None:
            return self.line(verb, answer)
        return self.usual(verb, said)

    def usual(self, verb: str, said: bytes) -> bytes:
        """Return the default reply."""
        if verb == "EHLO":
            return self.greet()
        if verb in ("MAIL", "RSET"):
            self.sender = said[11 : said.find(b">")]
            self.recipient = b""
            self.in_mail = verb == "MAIL"
        elif verb == "RCPT":
            if not self.in_mail:
                return b"503 5.5.1 No MAIL yet\r\n"
            self.recipient = said[9 : said.index(b">")]
        elif verb == "STARTTLS":
            asyncio.get_running_loop().create_task(self.start_tls())
            return b""
        elif said.upper().startswith(b"AUTH LOGIN"):
            self.login = []
            return b"334 VXNlcm5hbWU6\r\n"
        return self.line(verb, None)

    def take_login(self, said: bytes) -> bytes:
        assert self.login is not None
        self.login.append(base64.b64decode(said))
        if len(self.login) < 2:
            return b"334 UGFzc3dvcmQ6\r\n"
        answer = self.behaviour.answer("LOGIN", b" ".join(self.login))
        self.login = None
        return self.line("AUTH", answer)

    def greet(self) -> bytes:
        offered = [*self.behaviour.extensions]
        if self.behaviour.tls and not self.secure:
            offered.append("STARTTLS")
        lines = [b"sink.test", *(each.encode() for each in offered)]
        return b"".join(
            b"250%b%b\r\n" % (b"-" if number < len(lines) else b" ", line)
            for number, line in enumerate(lines, 1)
        )

    def line(self, stage: str, answer: bytes | None) -> bytes:
        if answer in (CLOSE, STALL):
            return answer
        text = DEFAULTS.get(stage, b"502 what?") if answer is None else answer
        return text + b"\r\n" if text else b""

    def reply(self, stage: str, said: bytes) -> None:
        answer = self.line(stage, self.behaviour.answer(stage, said))
        if answer == CLOSE:
            self.close()
        elif answer != STALL:
            self.send(answer)

    async def start_tls(self) -> None:
        loop = asyncio.get_running_loop()
        self.transport.write(b"220 go on\r\n")
        with contextlib.suppress(OSError):
            self.transport = await loop.start_tls(
                self.transport, self, self.behaviour.tls, server_side=True
            )
            self.secure = True

    def send(self, octets: bytes) -> None:
        if not octets:
            return
        if self.behaviour.latency:
            loop = asyncio.get_running_loop()
            loop.call_later(self.behaviour.latency, self.write, octets)
        else:
            self.write(octets)

    def write(self, octets: bytes) -> None:
        if not self.transport.is_closing():
            self.transport.write(octets)

    def close(self) -> None:
        # After the replies that the latency delays.
        loop = asyncio.get_running_loop()
        loop.call_later(self.behaviour.latency, self.transport.close)


@contextlib.contextmanager
def sink(behaviour: Behaviour) -> Iterator[int]:
    """Run a sink in a thread; yield its port."""
    ready = threading.Event()
    ports: list[int] = []
    loop = asyncio.new_event_loop()
    stop = asyncio.Event()

    async def run() -> None:
        ports.append(await listen(behaviour))
        ready.set()
        await stop.wait()
        for server in behaviour.servers:
            server.close()
        for session in behaviour.sessions:
            if getattr(session, "transport", None) is not None:
                session.transport.abort()
        await asyncio.sleep(0)

    thread = threading.Thread(target=loop.run_until_complete, args=(run(),))
    thread.start()
    ready.wait(10)
    try:
        yield ports[0]
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        loop.close()


async def listen(behaviour: Behaviour, host: str = "127.0.0.1", port: int = 0) -> int:
    """Listen on a port, by default on a free one of the loopback interface; return the port."""

    def session() -> Session:
        new = Session(behaviour)
        behaviour.sessions.append(new)
        return new

    server = await asyncio.get_running_loop().create_server(
        session, host, port, ssl=behaviour.tls if behaviour.wrapped else None, backlog=200
    )
    behaviour.servers.append(server)
    taken: int = server.sockets[0].getsockname()[1]
    return taken


def main() -> None:
    """Run a sink until standard input ends."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--latency", type=float, default=0.0)
    parser.add_argument("--log")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--logins", type=int, help="connections in a window")
    parser.add_argument("--window", type=float, default=60.0, help="seconds")
    parser.add_argument("--connections", type=int, help="connections at once")
    parser.add_argument("--messages", type=int, help="messages on a connection")
    options = parser.parse_args()
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    log = os.open(options.log, flags, 0o600) if options.log else None
    limits = Limits(options.logins, options.window, options.connections, options.messages)
    behaviour = Behaviour(latency=options.latency, log=log, keep=False, limits=limits)

    async def run() -> None:
        sys.stdout.write(f"{await listen(behaviour, options.host, options.port)}\n")
        sys.stdout.flush()
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)

    asyncio.run(run())


if __name__ == "__main__":
    main()
