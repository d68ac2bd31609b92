"""A client's connection: strict parsing, deadlines and a close that delivers error responses."""

from __future__ import annotations

import logging
import socket
import time
from collections.abc import MutableMapping
from typing import Any

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.task import WSGITask
from waitress.utilities import BadRequest, build_http_date

from masthead.http.environ import IMMEDIATE_ANSWER
from masthead.server.access_log import redact_path
from masthead.server.refusals import RefusalTask

_MAX_CHUNK_LINE = 4096
_LINGER = 5.0  # seconds in which a refused client can stop sending


class Parser(HTTPRequestParser):  # type: ignore[misc]  # waitress has no types
    """Refuses requests that waitress accepts, fails on or waits for without end."""

    completed: bool
    # waitress sets them late, but reads them even for requests that it refused earlier.
    command = "-"
    path = "-"
    immediate_answer: object = None
    """The response that the application has ready for the request, or None."""

    def received(self, data: bytes) -> int:
        """Parse received bytes and return how many of them belong to this request."""
        consumed: int = super().received(data)
        if self.chunked and not self.completed:
            # waitress searches such a line from its start each time it receives bytes.
            pending = len(self.body_rcv.control_line) + len(self.body_rcv.trailer)
            if pending > _MAX_CHUNK_LINE:
                self.error = BadRequest("Chunk header or trailer is too long")
                self.completed = True
        if self.completed:
            # Otherwise waitress requests the body even if there is none or the request is refused.
            self.expect_continue = False
        return consumed

    def parse_header(self, header_plus: bytes) -> None:
        """Parse the request line and the headers.

        :raises ParsingError: if they are malformed, or if a server in front could interpret the
            framing differently (RFC 9112 section 6.1).
        """
        try:
            super().parse_header(header_plus)
        except ValueError as error:
            raise ParsingError("Malformed address or Content-Length") from error
        if self.chunked and "CONTENT_LENGTH" in self.headers:
            raise ParsingError("Content-Length and Transfer-Encoding exclude each other")
        if self.version != "1.1" and "TRANSFER_ENCODING" in self.headers:
            raise ParsingError("Transfer-Encoding needs HTTP/1.1")


class RequestTask(WSGITask):  # type: ignore[misc]  # waitress has no types
    """Runs the application for a request and sends its response."""

    def execute(self) -> None:
        """Call the application and send its response.

        :raises RuntimeError: for a panic of an extension module. It is no ``Exception``, so
            waitress would never answer the client.
        """
        try:
            super().execute()
        except BaseException as error:
            # waitress logs the path, which may contain a secret.
            secret_paths = self.channel.server.options.secret_paths
            self.request.path = redact_path(self.request.path, secret_paths)
            if isinstance(error, Exception):
                raise
            raise RuntimeError("The application panicked") from error

    def get_environment(self) -> dict[str, Any]:
        """Return the WSGI environ; the channel keeps it for a later error response."""
        environ: dict[str, Any] = super().get_environment()
        environ["SERVER_SOFTWARE"] = "masthead"
        environ["wsgi.multiprocess"] = self.channel.server.options.processes > 1
        if self.request.immediate_answer is not None:
            environ[IMMEDIATE_ANSWER] = self.request.immediate_answer
        self.channel.environ = environ
        return environ

    def build_response_header(self) -> bytes:
        """Return the head of the response; for an immediate answer without waitress's checks.

        waitress normalises and sorts all headers and adds missing ones, which an immediate answer
        doesn't need.
        """
        connection = self.request.headers.get("CONNECTION", "").lower()
        usual = self.version == "1.1" and self.status.startswith("200") and connection != "close"
        if self.request.immediate_answer is None or not usual or self.content_length is None:
            return bytes(super().build_response_header())
        date = ("Date", build_http_date(self.start_time))
        lines = [f"HTTP/1.1 {self.status}", *map(": ".join, [*self.response_headers, date])]
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


class _OneLine(logging.LoggerAdapter[logging.Logger]):
    """Escapes messages, because waitress writes decoded paths into its log."""

    def process(
        self, msg: Any, kwargs: MutableMapping[str, Any]
    ) -> tuple[Any, MutableMapping[str, Any]]:
        return str(msg).encode("unicode_escape").decode(), kwargs


class Channel(HTTPChannel):  # type: ignore[misc]  # waitress has no types
    """A connection that clients can't keep open by sending or reading slowly."""

    parser_class = Parser
    task_class = RequestTask
    error_task_class = RefusalTask
    logger = _OneLine(HTTPChannel.logger)

    close_when_flushed: bool
    refused = False
    """Whether the server itself refused the request, so that the client may still be sending."""
    _hold = False
    """Whether sending is delayed, so that head and body leave in one piece."""
    answer_now = False
    """Whether the main thread answers the next request instead of a worker thread."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.environ: dict[str, Any] = {}
        self.request_since: float | None = None
        self._stalled_since: float | None = None
        self._lingering_since: float | None = None

    def busy(self) -> bool:
        """Whether the response to a complete request is not fully sent yet."""
        return bool(self.requests or self.total_outbufs_len)

    def overdue(self, now: float) -> bool:
        """Whether a deadline of the client has passed; ``now`` is the monotonic time."""
        options = self.server.options
        if self._lingering_since is not None:
            return now - self._lingering_since > _LINGER
        if self.total_outbufs_len:
            self._stalled_since = self._stalled_since or now
            return bool(now - self._stalled_since > options.channel_timeout)
        self._stalled_since = None
        if self.request_since is None:
            return False
        received = self.request.body_bytes_received if self.request else 0
        return bool(now - self.request_since > options.head_timeout + received / options.body_rate)

    def received(self, data: bytes) -> bool:
        """Process received bytes; the server resets ``request_since`` at a complete request."""
        if self.request_since is None:
            self.request_since = time.monotonic()
        taken = bool(super().received(data))
        # Only after received() has released its lock.
        while self.answer_now:
            self.answer_now = False
            self._hold = True
            self.service()
            self._hold = False
            self._flush_exception(self._flush_some_if_lockable)
        return taken

    def _flush_some(self, do_close: bool = True) -> bool:
        return not self._hold and bool(super()._flush_some(do_close))

    def send(self, data: bytes, do_close: bool = True) -> int:
        """Send as much as the socket accepts and return the number of bytes."""
        sent: int = super().send(data, do_close)
        if sent:
            self._stalled_since = None
        return sent

    def readable(self) -> bool:
        """Whether to wait for bytes from the client."""
        return self._lingering_since is not None or super().readable()

    def handle_read(self) -> None:
        """Read; after a refusal discard the bytes."""
        if self._lingering_since is None:
            super().handle_read()
            return
        try:
            self.recv(self.adj.recv_bytes)
        except OSError:
            self.handle_close()

    def handle_write(self) -> None:
        """Send; after a refusal close only the sending side.

        Closing a socket with unread bytes resets the connection, and a client that is still
        sending its body may never read the error (RFC 9112 section 9.6).
        """
        if not (self.refused and self.close_when_flushed):
            super().handle_write()
            return
        self._flush_exception(self._flush_some)
        if self.will_close:
            self.handle_close()
        elif self.connected and not self.total_outbufs_len:
            self.close_when_flushed = False
            self._lingering_since = time.monotonic()
            try:
                self.socket.shutdown(socket.SHUT_WR)
            except OSError:
                self.handle_close()
