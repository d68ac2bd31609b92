"""Asks a relay whether it would accept a message, without sending one."""

from __future__ import annotations

from collections.abc import Iterator

from masthead_email.smtp.handshake import RelayConnection
from masthead_email.smtp.replies import ProtocolError, Reply, ReplyParser


def probe(
    opened: RelayConnection, sender: str, recipient: str, timeout: float
) -> Iterator[tuple[str, Reply]]:
    """Yield MAIL and RCPT with the replies of the relay, and reset the transaction.

    :raises OSError: if the relay doesn't answer in time.
    :raises ProtocolError: if it violates the protocol.
    """
    opened.socket.setblocking(True)
    opened.socket.settimeout(timeout)
    replies = ReplyParser()
    for command in (f"MAIL FROM:<{sender}>", f"RCPT TO:<{recipient}>"):
        reply = _ask(opened, replies, command)
        yield command, reply
        if not reply.is_positive:
            break
    _ask(opened, replies, "RSET")


def _ask(opened: RelayConnection, replies: ReplyParser, command: str) -> Reply:
    opened.socket.sendall(f"{command}\r\n".encode())
    while True:
        octets = opened.socket.recv(4096)
        if not octets:
            raise ProtocolError("the relay closed the connection")
        for reply in replies.feed(octets):
            return reply
