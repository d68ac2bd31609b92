"""A client's connection: deadlines, holds and a close that delivers error responses."""

from __future__ import annotations

import logging
import socket
import time
from collections.abc import MutableMapping
from functools import partial
from typing import Any

from waitress.channel import HTTPChannel

from masthead.http.environ import Held
from masthead.server.held import HeldConnection
from masthead.server.parser import Parser
from masthead.server.refusals import Overloaded, RefusalTask
from masthead.server.tasks import HeadCheck, RequestTask

_NEW = 1.0  # seconds in which the first request of a connection arrives
_LINGER = 5.0  # seconds in which a refused client can stop sending


class _OneLine(logging.LoggerAdapter[logging.Logger]):
    """Escapes messages, because waitress writes decoded paths into its log."""

    def process(
        self, msg: Any, kwargs: MutableMapping[str, Any]
    ) -> tuple[Any, MutableMapping[str, Any]]:
        return str(msg).encode("unicode_escape").decode(), kwargs


class Channel(HTTPChannel):  # type: ignore[misc]  # waitress has no types
    """A connection that clients can't keep open by sending or reading slowly."""

    task_class = RequestTask
    error_task_class = RefusalTask
    logger = _OneLine(HTTPChannel.logger)

    request: Parser | None
    requests: list[Parser]
    total_outbufs_len: int
    close_when_flushed: bool
    refused = False
    """Whether the server itself refused the request, so that the client may still be sending."""
    _hold = False
    """Whether sending is delayed, so that head and body leave in one piece."""
    answer_now = False
    """Whether the main thread answers the next request instead of a worker thread."""
    has_asked = False
    """Whether a complete request has arrived."""
    queued_at = 0.0
    """When the channel was added to a pool (monotonic)."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.parser_class = partial(Parser, handling_of=self.server.handling_of)
        self.environ: dict[str, Any] = {}
        self.request_since: float | None = None
        self._opened = time.monotonic()
        self._stalled_since: float | None = None
        self._lingering_since: float | None = None
        self._checking: HeadCheck | None = None
        self._held: Held | None = None

    def busy(self) -> bool:
        """Whether the response to a complete request is not fully sent yet."""
        return bool(self.requests or self.total_outbufs_len)

    def is_new(self) -> bool:
        """Whether the first request may be on its way."""
        return not self.has_asked and time.monotonic() - self._opened < _NEW

    def overdue(self, now: float) -> bool:
        """Whether a deadline of the client has passed; ``now`` is the monotonic time."""
        options = self.server.options
        if self._lingering_since is not None:
            return now - self._lingering_since > _LINGER
        if self.total_outbufs_len:
            self._stalled_since = self._stalled_since or now
            return bool(now - self._stalled_since > options.channel_timeout)
        self._stalled_since = None
        if self.request_since is None or self._checking is not None:
            return False
        received = self.request.body_bytes_received if self.request else 0
        return bool(now - self.request_since > options.head_timeout + received / options.body_rate)

    def received(self, data: bytes) -> bool:
        """Process received bytes; the server resets ``request_since`` at a complete request."""
        if self._held is not None:
            # No request is answered after a response that stays open.
            return True
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
        self.check_head()
        return taken

    def service(self) -> None:
        """Answer the first complete request; called by a thread of a pool or the main thread."""
        super().service()
        if self.request is not None and self.request.held is not None:
            self.server.call_soon(self.check_head)

    def hold(self, held: Held, *, chunked: bool) -> None:
        """Keep the connection open for further parts of a response; called at its first part.

        :param chunked: whether the body is sent in chunks.
        """
        connection = HeldConnection(self, chunked=chunked)

        def open_it() -> None:
            # The client may be gone already.
            if self.connected:
                self._held = held
                held.opened(connection)

        self.server.call_soon(open_it)

    def handle_close(self) -> None:
        """Close the connection."""
        held, self._held = self._held, None
        if held is not None:
            held.closed()
        super().handle_close()

    def refuse(self) -> None:
        """Answer the first complete request with 503, in the main thread."""
        if self.total_outbufs_len or not self.requests:
            self.handle_close()
            return
        self.requests[0].error = Overloaded()
        self.service()

    def check_head(self) -> None:
        """Have the head of a held request checked, once the requests before it are answered."""
        request = self.request
        if request is None or request.held is None or self.requests:
            return
        if self._checking is None and not self._is_closing():
            self._checking = HeadCheck(self, request)
            self.server.add_head_check(self._checking)

    def _is_closing(self) -> bool:
        """Whether no further request is answered."""
        lingering = self._lingering_since is not None
        return bool(lingering or self.close_when_flushed or self.will_close or not self.connected)

    def receive_body(self) -> None:
        """Receive the body of the held request, whose head has passed the check."""
        request, self._checking = self.request, None
        if request is None or not self.connected:
            return
        held = request.release()
        self.request_since = time.monotonic()
        if request.expects_continue and not held:
            with self.requests_lock:
                self.send_continue()
        elif held:
            self.received(held)

    def close_after_refusal(self) -> None:
        """Close once the answer to the held request is sent."""
        with self.requests_lock:
            self.close_when_flushed = True
            if self.request is not None:
                self.request.close()
                self.request = None
        self.server.pull_trigger()

    def _flush_some(self, do_close: bool = True) -> bool:
        # waitress takes no lock without complete requests, but the answer to a held one is sent
        # by another thread.
        with self.outbuf_lock:
            return not self._hold and bool(super()._flush_some(do_close))

    def send(self, data: bytes, do_close: bool = True) -> int:
        """Send as much as the socket accepts and return the number of bytes."""
        sent: int = super().send(data, do_close)
        if sent:
            self._stalled_since = None
        return sent

    def readable(self) -> bool:
        """Whether to wait for bytes from the client."""
        if self._lingering_since is not None:
            return True
        return not (self.request and self.request.held is not None) and super().readable()

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
