"""A connection on which one letter after the other is handed over, never waiting without need."""

from __future__ import annotations

import re
import ssl
import time
from collections import deque
from collections.abc import Callable

from masthead_email.results import Envelope, Result, failed, paused, requeued, retried, sent
from masthead_email.smtp.handshake import PIPELINING, SMTPUTF8, RelayConnection
from masthead_email.smtp.replies import ProtocolError, Reply, ReplyParser

_READ_SIZE = 65536
_LEADING_DOT = re.compile(rb"\n\.")
"""Found in less than half of the time that ``in`` takes, in all that is sent."""
_CONNECTION_ERRORS = (OSError, ProtocolError)
_WOULD_BLOCK = (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError)


class Channel:
    """Hands letters over on an open connection.

    Where the relay takes pipelining, the write that ends a letter also carries the envelope of the
    next: a letter costs one round trip. Else each command waits for the reply to the one before.
    Nothing ends a letter but ``go()``, so that what happened to the one before is safe by then.
    """

    closed = False
    relay_busy = False
    """Whether the relay closed it because it has too many."""
    desynchronised = False
    """Whether the relay answered as none may, perhaps for want of pipelining."""
    accepted = 0
    """How many letters the relay took."""
    deadline = float("inf")
    """When the relay has to have answered."""

    def __init__(
        self, opened: RelayConnection, timeout: float, *, no_pipelining: bool = False
    ) -> None:
        self._socket = opened.socket
        self._socket.setblocking(False)
        self._utf8 = SMTPUTF8 in opened.extensions
        self._pipelining = PIPELINING in opened.extensions and not no_pipelining
        self._timeout = timeout
        self._replies = ReplyParser()
        self._unsent_commands: deque[tuple[Callable[[Reply], None], bytes]] = deque()
        """What is still to be written, with what takes the reply."""
        self._reply_handlers: deque[Callable[[Reply], None]] = deque()
        self._write_buffer = b""
        self._results: list[Result] = []
        self._next_envelope: Envelope | None = None
        self._envelope: Envelope | None = None
        """Whose envelope the relay has, or is being current."""
        self._ready_for_data = False
        """Whether the relay waits for that letter."""
        self._mail_acknowledged = False
        """Whether the relay has begun to answer to it."""
        self._envelope_failed = False
        """Whether it came to nothing, and only replies are still to come."""
        self._unacknowledged: Envelope | None = None
        """What was handed over and isn't acknowledged."""
        self._needs_rset = False
        """Whether the relay may hold an envelope that came to nothing."""

    def fileno(self) -> int:
        """For a selector."""
        return self._socket.fileno()

    @property
    def can_accept(self) -> bool:
        """Whether it can take another letter."""
        if self.closed or self._next_envelope is not None:
            return False
        return self._ready_for_data or (self._envelope is None and self._unacknowledged is None)

    @property
    def idle(self) -> bool:
        """Whether nothing is on its way, nor current."""
        return (
            self._next_envelope is self._envelope is self._unacknowledged is None
            and not self._results
        )

    @property
    def has_results(self) -> bool:
        """Whether it has results to tell, without anything having to arrive."""
        return bool(self._results)

    @property
    def writing(self) -> bool:
        """Whether it waits until it can write on."""
        return bool(self._write_buffer)

    def offer(self, envelope: Envelope) -> None:
        """Give it the next letter, while it is can_accept."""
        self._next_envelope = envelope

    def advance(self) -> None:
        """Hand over the letter that the relay waits for, and tell it of the next one."""
        if self.closed:
            return
        if self._ready_for_data:
            assert self._envelope is not None
            self._unacknowledged, self._envelope = self._envelope, None
            self._ready_for_data = self._mail_acknowledged = False
            self._queue_command(self._on_end_of_data, dot_stuffed(self._unacknowledged.content))
        # Without pipelining, replies to the envelope come after the one to the letter.
        if self._next_envelope is not None and self._envelope is None:
            self._envelope, self._next_envelope = self._next_envelope, None
            self._queue_envelope(self._envelope)
        self._flush_commands()

    def receive(self) -> list[Result]:
        """What became of letters since it was last asked."""
        if not self.closed:
            try:
                self._read()
            except _CONNECTION_ERRORS as error:
                self.desynchronised = isinstance(error, ProtocolError)
                self._abort(str(error) or type(error).__name__)
        return self._take_results()

    def expire(self) -> list[Result]:
        """Give up on a relay that doesn't answer."""
        # One that has answered to the first command alone never took note of the others.
        self.desynchronised = (
            self._mail_acknowledged and len(self._reply_handlers) == 2 and not self.accepted
        )
        self._abort(f"no answer within {self._timeout:g} s")
        return self._take_results()

    def quit(self) -> None:
        """Say goodbye, where nothing is on its way, and close."""
        if not self.closed:
            try:
                self._socket.send(b"QUIT\r\n")
            except OSError:
                pass
        self.close()

    def close(self) -> None:
        """Close the connection, whatever is on its way."""
        self.closed = True
        self._socket.close()

    def _queue_envelope(self, envelope: Envelope) -> None:
        if envelope.utf8 and not self._utf8:
            self._results.append(failed(envelope, "The relay takes no addresses in other scripts"))
            self._clear_envelope()
            return
        if self._needs_rset:
            self._queue_command(self._on_reset, b"RSET\r\n")
            self._needs_rset = False
        options = b" SMTPUTF8" if envelope.utf8 else b""
        self._queue_command(self._on_mail, b"MAIL FROM:<%b>%b\r\n" % (envelope.sender, options))
        self._queue_command(self._on_recipient, b"RCPT TO:<%b>\r\n" % envelope.recipient)
        self._queue_command(self._on_data, b"DATA\r\n")

    def _queue_command(self, handler: Callable[[Reply], None], octets: bytes) -> None:
        self._unsent_commands.append((handler, octets))

    def _flush_commands(self) -> None:
        """Write what may be written now."""
        wanted = []
        while self._unsent_commands and (self._pipelining or not self._reply_handlers):
            handler, octets = self._unsent_commands.popleft()
            wanted.append(octets)
            self._reply_handlers.append(handler)
            self.deadline = time.monotonic() + self._timeout
        self._write_buffer += b"".join(wanted)
        self.write()

    def write(self) -> None:
        """Write on, as far as the relay takes it."""
        if self.closed or not self._write_buffer:
            return
        try:
            written = self._socket.send(self._write_buffer)
        except _WOULD_BLOCK:
            return
        except OSError as error:
            self._abort(str(error))
            return
        self._write_buffer = self._write_buffer[written:]
        if self._write_buffer:
            self.deadline = time.monotonic() + self._timeout

    def _read(self) -> None:
        octets = True
        while octets:
            try:
                got = self._socket.recv(_READ_SIZE)
            except _WOULD_BLOCK:
                return
            if not got:
                raise ConnectionError("the relay closed the connection")
            for reply in self._replies.feed(got):
                self._handle_reply(reply)
                if self.closed:
                    return
            # TLS may hold more than it has shown; of a plain socket the selector tells.
            octets = isinstance(self._socket, ssl.SSLSocket) and self._socket.pending() > 0

    def _handle_reply(self, reply: Reply) -> None:
        if reply.is_closing:
            self.relay_busy = True
            self._abort(str(reply))
            return
        if not self._reply_handlers:
            raise ProtocolError(f"a reply to nothing: {reply}")
        self._reply_handlers.popleft()(reply)
        if not self._reply_handlers:
            self.deadline = float("inf")
        if self._unsent_commands:
            self._flush_commands()

    def _on_reset(self, reply: Reply) -> None:
        if not reply.is_positive:
            raise ProtocolError(f"RSET: {reply}")

    def _on_mail(self, reply: Reply) -> None:
        envelope = self._current_envelope()
        if reply.is_positive:
            self._mail_acknowledged = True
            return
        if reply.code < 400:
            raise ProtocolError(f"MAIL: {reply}")
        outcome = retried if reply.is_transient else paused
        self._fail_envelope(outcome(envelope, str(reply)))

    def _on_recipient(self, reply: Reply) -> None:
        if self._envelope_failed or reply.is_positive:
            return
        if reply.code < 400:
            raise ProtocolError(f"RCPT: {reply}")
        self._fail_envelope(_rejection(self._current_envelope(), reply))

    def _on_data(self, reply: Reply) -> None:
        if reply.code < 354:
            raise ProtocolError(f"DATA: {reply}")
        if self._envelope_failed:
            # A relay that takes a letter to nobody gets an empty one, which it has to refuse.
            if reply.code == 354:
                self._queue_command(self._on_empty_message, b".\r\n")
            else:
                self._clear_envelope()
        elif reply.code == 354:
            self._ready_for_data = True
        else:
            self._fail_envelope(_rejection(self._current_envelope(), reply))
            self._clear_envelope()

    def _on_empty_message(self, _reply: Reply) -> None:
        """Whatever it says of an empty letter to nobody, the next one can begin."""
        self._clear_envelope()

    def _on_end_of_data(self, reply: Reply) -> None:
        envelope, self._unacknowledged = self._unacknowledged, None
        assert envelope is not None
        if reply.is_positive:
            self.accepted += 1
            self._results.append(sent(envelope))
            return
        if reply.code < 400:
            raise ProtocolError(f"the end of a letter: {reply}")
        self._results.append(_rejection(envelope, reply))

    def _current_envelope(self) -> Envelope:
        assert self._envelope is not None
        return self._envelope

    def _fail_envelope(self, result: Result) -> None:
        """Note what became of the envelope that the relay is being current."""
        self._results.append(result)
        self._envelope_failed = self._needs_rset = True
        if not self._pipelining:
            self._unsent_commands.clear()
            self._clear_envelope()

    def _clear_envelope(self) -> None:
        self._envelope, self._envelope_failed, self._mail_acknowledged = None, False, False

    def _abort(self, why: str) -> None:
        """Close, and say what that means for what is on its way."""
        # Relays end connections after so many letters: that is no try of the next one. Nor is what
        # befell the letter before it. But what was being current when it ended may be the reason.
        untried = not self._mail_acknowledged and (
            bool(self.accepted) or self._unacknowledged is not None
        )
        if self._unacknowledged is not None:
            # It may have arrived; its Message-ID tells who gets it twice.
            self._results.append(retried(self._unacknowledged, why))
        current = None if self._envelope_failed else self._envelope
        for envelope in (current, self._next_envelope):
            if envelope is not None:
                outcome = requeued if untried or envelope is self._next_envelope else retried
                self._results.append(outcome(envelope, why))
        self._unacknowledged = self._envelope = self._next_envelope = None
        self._ready_for_data = self._envelope_failed = False
        self._unsent_commands.clear()
        self._reply_handlers.clear()
        self.close()

    def _take_results(self) -> list[Result]:
        results, self._results = self._results, []
        return results


def _rejection(envelope: Envelope, reply: Reply) -> Result:
    if reply.is_transient:
        return retried(envelope, str(reply))
    return failed(envelope, str(reply), suppress=reply.is_permanent_address_failure)


def dot_stuffed(content: bytes) -> bytes:
    """A letter as DATA carries it: dots at the start of lines doubled, and the dot that ends it."""
    if _LEADING_DOT.search(content) or content.startswith(b"."):
        content = (b"\r\n" + content).replace(b"\r\n.", b"\r\n..")[2:]
    return content + (b".\r\n" if content.endswith(b"\r\n") else b"\r\n.\r\n")
