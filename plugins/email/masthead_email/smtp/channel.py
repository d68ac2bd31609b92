"""A non-blocking SMTP connection that transmits one message after the other."""

from __future__ import annotations

import re
import ssl
import time
from collections import deque
from collections.abc import Callable

from masthead_email.failures import Failure
from masthead_email.results import (
    Envelope,
    Result,
    deferred,
    failed,
    paused,
    requeued,
    retried,
    sent,
    unsendable,
)
from masthead_email.smtp.handshake import PIPELINING, SMTPUTF8, RelayConnection
from masthead_email.smtp.replies import ProtocolError, Reply, ReplyParser

_READ_SIZE = 65536
_LEADING_DOT = re.compile(rb"\n\.")
"""A regular expression takes less than half the time of ``in`` for typical messages."""
_CONNECTION_ERRORS = (OSError, ProtocolError)
_WOULD_BLOCK = (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError)


class Channel:
    """Transmits messages to a relay on an open connection.

    If the relay supports pipelining, the write that ends a message also carries the next envelope,
    so a message costs one round trip. Otherwise each command waits for the previous reply.
    Only ``advance()`` sends message content, so the caller can commit the previous result first.

    :param timeout: seconds to wait for each reply.
    :param no_pipelining: whether to wait for each reply even if the relay offers pipelining.
    :param max_messages: the number of messages that the relay accepts on a connection; None if no
        limit is known.
    """

    closed = False
    refusal = ""
    """The words of the relay, if it takes no more messages on this connection."""
    cut_off = False
    """Whether the relay, not a fault, has ended the connection."""
    desynchronised = False
    """Whether the replies didn't match the commands, as if the relay lacked pipelining."""
    accepted = 0
    """The number of messages that the relay accepted."""
    offered = 0
    """The number of messages that were offered."""
    deadline = float("inf")
    """The monotonic time by which the next reply must arrive."""

    def __init__(
        self,
        opened: RelayConnection,
        timeout: float,
        *,
        no_pipelining: bool = False,
        max_messages: int | None = None,
    ) -> None:
        self._socket = opened.socket
        self._socket.setblocking(False)
        self._utf8 = SMTPUTF8 in opened.extensions
        self._pipelining = PIPELINING in opened.extensions and not no_pipelining
        self._timeout = timeout
        self._max_messages = float("inf") if max_messages is None else max_messages
        self._replies = ReplyParser()
        self._unsent_commands: deque[tuple[Callable[[Reply], None], bytes]] = deque()
        """Commands to send, each with the handler of its reply."""
        self._reply_handlers: deque[Callable[[Reply], None]] = deque()
        self._write_buffer = b""
        self._results: list[Result] = []
        self._next_envelope: Envelope | None = None
        self._envelope: Envelope | None = None
        """The envelope that is being sent, or was accepted and awaits its content."""
        self._ready_for_data = False
        """Whether the relay replied 354 and expects the content."""
        self._mail_acknowledged = False
        """Whether the relay accepted the MAIL command of this envelope."""
        self._envelope_failed = False
        """Whether this envelope has failed while some of its replies are outstanding."""
        self._unacknowledged: Envelope | None = None
        """The message whose content was sent without a reply yet."""
        self._needs_rset = False
        """Whether the relay may hold state of a failed envelope."""

    def fileno(self) -> int:
        """Return the socket's file descriptor, for a selector."""
        return self._socket.fileno()

    @property
    def can_accept(self) -> bool:
        """Whether it can take another envelope."""
        if self.closed or self._next_envelope is not None or self.offered >= self._max_messages:
            return False
        return self._ready_for_data or (self._envelope is None and self._unacknowledged is None)

    @property
    def idle(self) -> bool:
        """Whether nothing is in transit and no result is pending."""
        return (
            self._next_envelope is self._envelope is self._unacknowledged is None
            and not self._results
        )

    @property
    def has_results(self) -> bool:
        """Whether results are pending that need no further input."""
        return bool(self._results)

    @property
    def writing(self) -> bool:
        """Whether output waits until the socket is writable."""
        return bool(self._write_buffer)

    def offer(self, envelope: Envelope) -> None:
        """Set the next envelope; only valid while ``can_accept`` is true."""
        self.offered += 1
        self._next_envelope = envelope

    def advance(self) -> None:
        """Send the content that the relay expects, and the next envelope, or else QUIT.

        QUIT follows the last message that the relay takes on this connection.
        """
        if self.closed:
            return
        if self._ready_for_data:
            assert self._envelope is not None
            self._unacknowledged, self._envelope = self._envelope, None
            self._ready_for_data = self._mail_acknowledged = False
            self._queue_command(self._on_end_of_data, dot_stuffed(self._unacknowledged.content))
        # Without pipelining, the envelope waits for the reply to the content.
        if self._next_envelope is not None and self._envelope is None:
            self._envelope, self._next_envelope = self._next_envelope, None
            self._queue_envelope(self._envelope)
        if self.offered >= self._max_messages and self.idle:
            self.quit()
        else:
            self._flush_commands()

    def receive(self) -> list[Result]:
        """Read replies, and return the results since the last call."""
        if not self.closed:
            try:
                self._read()
            except _CONNECTION_ERRORS as error:
                self.desynchronised = isinstance(error, ProtocolError)
                self._abort(str(error) or type(error).__name__)
        return self._take_results()

    def expire(self) -> list[Result]:
        """Close the connection after a timeout, and return the results."""
        # A relay that replied only to the first command has probably discarded the others.
        self.desynchronised = (
            self._mail_acknowledged and len(self._reply_handlers) == 2 and not self.accepted
        )
        self._abort(f"no answer within {self._timeout:g} s")
        return self._take_results()

    def is_alive(self) -> bool:
        """Whether the connection is still open and silent after an idle time."""
        try:
            self._socket.recv(_READ_SIZE)
        except _WOULD_BLOCK:
            return True
        except OSError:
            pass
        # The relay has closed it, or says that it will.
        return False

    def quit(self) -> None:
        """Send QUIT and close; only valid while the channel is idle."""
        if not self.closed:
            try:
                self._socket.send(b"QUIT\r\n")
            except OSError:
                pass
        self.close()

    def close(self) -> None:
        """Close the connection immediately."""
        self.closed = True
        self._socket.close()

    def _queue_envelope(self, envelope: Envelope) -> None:
        if envelope.utf8 and not self._utf8:
            self._results.append(
                unsendable(envelope, "The relay doesn't support internationalised addresses")
            )
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
        """Send the queued commands that may be sent now."""
        output = []
        while self._unsent_commands and (self._pipelining or not self._reply_handlers):
            handler, octets = self._unsent_commands.popleft()
            output.append(octets)
            self._reply_handlers.append(handler)
            self.deadline = time.monotonic() + self._timeout
        self._write_buffer += b"".join(output)
        self.write()

    def write(self) -> None:
        """Write as much of the output as the socket accepts."""
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
                self.cut_off = True
                raise ConnectionError("the relay closed the connection")
            for reply in self._replies.feed(got):
                self._handle_reply(reply)
                if self.closed:
                    return
            # The TLS layer may have buffered data that the selector can't report.
            octets = isinstance(self._socket, ssl.SSLSocket) and self._socket.pending() > 0

    def _handle_reply(self, reply: Reply) -> None:
        if reply.is_closing:
            self._refuse(reply)
            self._abort(str(reply), refused=True)
            return
        if not self._reply_handlers:
            raise ProtocolError(f"unexpected reply: {reply}")
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
        if reply.is_transient:
            # The relay knows nothing yet about the recipient or the content.
            self._refuse(reply)
            self._fail_envelope(requeued(envelope, str(reply)))
        else:
            self._fail_envelope(paused(envelope, str(reply)))

    def _on_recipient(self, reply: Reply) -> None:
        if self._envelope_failed or reply.is_positive:
            return
        if reply.code < 400:
            raise ProtocolError(f"RCPT: {reply}")
        self._fail_envelope(self._rejection(self._current_envelope(), reply))

    def _on_data(self, reply: Reply) -> None:
        if reply.code < 354:
            raise ProtocolError(f"DATA: {reply}")
        if self._envelope_failed:
            # A relay that accepts DATA without a recipient must reject an empty message.
            if reply.code == 354:
                self._queue_command(self._on_empty_message, b".\r\n")
            else:
                self._clear_envelope()
        elif reply.code == 354:
            self._ready_for_data = True
        else:
            self._fail_envelope(self._rejection(self._current_envelope(), reply))
            self._clear_envelope()

    def _on_empty_message(self, _reply: Reply) -> None:
        """Ignore the reply to an empty message without a recipient."""
        self._clear_envelope()

    def _on_end_of_data(self, reply: Reply) -> None:
        envelope, self._unacknowledged = self._unacknowledged, None
        assert envelope is not None
        if reply.is_positive:
            self.accepted += 1
            self._results.append(sent(envelope))
            return
        if reply.code < 400:
            raise ProtocolError(f"end of data: {reply}")
        self._results.append(self._rejection(envelope, reply))

    def _current_envelope(self) -> Envelope:
        assert self._envelope is not None
        return self._envelope

    def _fail_envelope(self, result: Result) -> None:
        """Record that the relay rejected the current envelope."""
        self._results.append(result)
        self._envelope_failed = self._needs_rset = True
        if not self._pipelining:
            self._unsent_commands.clear()
            self._clear_envelope()

    def _clear_envelope(self) -> None:
        self._envelope, self._envelope_failed, self._mail_acknowledged = None, False, False

    def _rejection(self, envelope: Envelope, reply: Reply) -> Result:
        """Return the result of a rejected recipient or content."""
        if reply.concerns_relay:
            self._refuse(reply)
            return deferred(envelope, str(reply))
        if reply.concerns_domain:
            domain = envelope.recipient.rpartition(b"@")[2].decode().lower()
            return deferred(envelope, str(reply), limited_domain=domain)
        if reply.is_transient:
            return retried(envelope, str(reply), reply.failure)
        if reply.failure is Failure.SENDER_REFUSED:
            return paused(envelope, str(reply))
        return failed(envelope, str(reply), reply.failure)

    def _refuse(self, reply: Reply) -> None:
        """Record that the relay takes no more messages on this connection."""
        self.refusal, self.cut_off = str(reply), True
        self._max_messages = 0

    def _abort(self, why: str, *, refused: bool = False) -> None:
        """Close the connection, and record the results of everything in transit.

        :param refused: whether the relay replied, and so accepted nothing that is in transit.
        """
        # Many relays close a connection after a number of messages, or because of the previous
        # message: neither counts as an attempt of the next one. Once MAIL was accepted, the current
        # envelope may be the cause.
        if self._unacknowledged is not None:
            # Without a reply the relay may have accepted it; the constant Message-ID marks
            # duplicates.
            outcome = deferred if refused else retried
            self._results.append(outcome(self._unacknowledged, why))
        current = None if self._envelope_failed else self._envelope
        if current is not None and self._mail_acknowledged:
            outcome = deferred if refused else retried
            self._results.append(outcome(current, why))
        elif current is not None:
            innocent = refused or self.accepted or self._unacknowledged is not None
            self._results.append((requeued if innocent else deferred)(current, why))
        if self._next_envelope is not None:
            self._results.append(requeued(self._next_envelope, why))
        self._unacknowledged = self._envelope = self._next_envelope = None
        self._ready_for_data = self._envelope_failed = False
        self._unsent_commands.clear()
        self._reply_handlers.clear()
        self.close()

    def _take_results(self) -> list[Result]:
        results, self._results = self._results, []
        return results


def dot_stuffed(content: bytes) -> bytes:
    """Return the content with leading dots doubled and the end-of-data line appended."""
    if _LEADING_DOT.search(content) or content.startswith(b"."):
        content = (b"\r\n" + content).replace(b"\r\n.", b"\r\n..")[2:]
    return content + (b".\r\n" if content.endswith(b"\r\n") else b"\r\n.\r\n")
