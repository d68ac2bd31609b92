"""The HTTP server of one process: accepts connections on a listening socket until stopped."""

from __future__ import annotations

import logging
import math
import select
import signal
import socket
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher

from masthead.http.environ import ImmediateAnswer
from masthead.server.channel import Channel
from masthead.server.options import Options
from masthead.server.signals import handling

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

logger = logging.getLogger(__name__)

_TICK = 1.0  # seconds between checks of the deadlines
_THREADS_END = 1  # seconds in which idle threads can end
_IN_MEMORY = 64 * 1024  # bytes of a body; larger ones are stored in a temporary file

_poll = wasyncore.poll2 if hasattr(select, "poll") else wasyncore.poll


class Server(TcpWSGIServer):  # type: ignore[misc]  # waitress has no types
    """Accepts connections on a socket that several processes may share."""

    channel_class = Channel
    # Disabled: closing a channel while waitress iterates could hit a new one of the same number.
    next_channel_cleanup = math.inf

    def __init__(
        self,
        listener: socket.socket,
        app: WSGIApplication,
        options: Options,
        immediate_answer: ImmediateAnswer | None,
    ) -> None:
        self.options = options
        self._immediate_answer = immediate_answer
        self._main_thread = threading.get_ident()
        self.stopping = False
        dispatcher, self._slow = _threads(options.threads), None
        if options.slow_paths:
            self._slow = _threads(options.slow_threads)
        super().__init__(
            app,
            _sock=listener,
            dispatcher=dispatcher,
            adj=_adjustments(options),
            sockinfo=(listener.family, listener.type, listener.proto, listener.getsockname()),
            bind_socket=False,
        )

    def stop(self, *_: Any) -> None:
        """Request the end; may be called by a signal handler or any thread."""
        self.stopping = True
        self.trigger.pull_trigger()

    def run(self, stopping: Callable[[], None]) -> None:
        """Serve until ``stop``, call ``stopping``, then finish the running requests."""
        look = 0.0
        while not self.stopping:
            if time.monotonic() >= look:
                self._close_overdue()
                look = time.monotonic() + _TICK
            _poll(_TICK, self._map)
        stopping()
        wasyncore.dispatcher.close(self)
        self._finish(time.monotonic() + self.options.stop_timeout)
        for dispatcher in filter(None, (self.task_dispatcher, self._slow)):
            dispatcher.shutdown(timeout=_THREADS_END)
        wasyncore.close_all(self._map)

    def add_task(self, task: Channel) -> None:
        """Pass a channel with a complete request to a thread, unless it has an immediate answer."""
        task.request_since = None
        request = task.requests[0]
        # For the application, several slashes at the start of a path are one.
        path = "/" + request.path.lstrip("/")
        if self._immediate_answer is not None and self._may_answer_here(task):
            request.immediate_answer = self._immediate_answer(request.command, path, request.query)
        if request.immediate_answer is not None:
            task.answer_now = True
        elif self._slow is not None and path in self.options.slow_paths:
            self._slow.add_task(task)
        else:
            super().add_task(task)

    def pull_trigger(self) -> None:
        """Wake the main thread from another thread."""
        if threading.get_ident() != self._main_thread:
            super().pull_trigger()

    def fix_addr(self, addr: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the address of an IPv4 client of an IPv6 socket in IPv4 notation."""
        return (str(addr[0]).removeprefix("::ffff:"), *addr[1:])

    def _may_answer_here(self, channel: Channel) -> bool:
        """Whether this is the main thread and could send an immediate answer without waiting."""
        return (
            threading.get_ident() == self._main_thread
            and not channel.requests[0].error
            # An immediate answer is always the whole body.
            and "RANGE" not in channel.requests[0].headers
            and not channel.total_outbufs_len
        )

    def _close_overdue(self) -> None:
        idle_since = time.time() - self.options.channel_timeout
        now = time.monotonic()
        for channel in self._channels():
            idle = not channel.busy() and channel.last_activity < idle_since
            if idle or channel.overdue(now):
                channel.handle_close()

    def _finish(self, deadline: float) -> None:
        # Requests that the kernel has already received count as running.
        _poll(0, self._map)
        while unfinished := self._close_idle():
            if time.monotonic() > deadline:
                logger.warning("Stopped with %d requests unfinished", unfinished)
                break
            _poll(0.1, self._map)

    def _close_idle(self) -> int:
        busy = 0
        for channel in self._channels():
            if channel.busy():
                busy += 1
            else:
                channel.handle_close()
        return busy

    def _channels(self) -> list[Channel]:
        return list(self.active_channels.values())


def answer(
    listener: socket.socket,
    app: WSGIApplication,
    options: Options,
    ready: Callable[[], None],
    stopping: Callable[[], None],
    immediate_answer: ImmediateAnswer | None = None,
) -> None:
    """Answer requests on ``listener`` until SIGTERM or SIGINT.

    The main thread sends immediate answers itself: switching to another thread and back would cost
    more than the answer.

    :param ready: called once signals are handled.
    :param stopping: called after a signal, before the last requests are finished.
    :param immediate_answer: called for each request; its result is passed to ``app`` in the
        environ.
    """
    server = Server(listener, app, options, immediate_answer)
    with handling(server.stop, signal.SIGTERM, signal.SIGINT):
        ready()
        server.run(stopping)


def _threads(number: int) -> ThreadedTaskDispatcher:
    dispatcher = ThreadedTaskDispatcher()
    dispatcher.set_thread_count(number)
    return dispatcher


def _adjustments(options: Options) -> Adjustments:
    return Adjustments(
        threads=options.threads,
        connection_limit=options.connection_limit,
        channel_timeout=options.channel_timeout,
        # waitress already refuses a request that reaches the limit exactly.
        max_request_header_size=options.max_head + 1,
        max_request_body_size=options.max_body + 1,
        inbuf_overflow=_IN_MEMORY,
        # With the default, a file of 10 MiB arrives in more than a thousand pieces.
        recv_bytes=_IN_MEMORY,
        channel_request_lookahead=0,
        asyncore_use_poll=True,
        ident="",
        server_name=options.host,
        log_socket_errors=False,
        # masthead.server.proxy does it: it supports networks and refuses nothing.
        clear_untrusted_proxy_headers=False,
    )
