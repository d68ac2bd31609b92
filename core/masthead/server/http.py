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
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.server import TcpWSGIServer

from masthead.http.environ import HandlingOf, ImmediateAnswer
from masthead.server.channel import Channel
from masthead.server.events import Events
from masthead.server.options import Options
from masthead.server.parser import IN_MEMORY, Parser
from masthead.server.pools import Pools
from masthead.server.refusals import Overloaded
from masthead.server.signals import RELOAD, handling
from masthead.server.tasks import HeadCheck

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

logger = logging.getLogger(__name__)

_TICK = 1.0  # seconds between checks of the deadlines

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
        handling_of: HandlingOf | None,
    ) -> None:
        self.options = options
        self.handling_of = handling_of
        self._immediate_answer = immediate_answer
        self._main_thread = threading.get_ident()
        self._calls: SimpleQueue[Callable[[], object]] = SimpleQueue()
        self.stopping = False
        self._pools = Pools(options)
        super().__init__(
            app,
            _sock=listener,
            dispatcher=self._pools,
            adj=_adjustments(options),
            sockinfo=(listener.family, listener.type, listener.proto, listener.getsockname()),
            bind_socket=False,
        )

    def stop(self, *_: Any) -> None:
        """Request the end; may be called by a signal handler or any thread."""
        self.stopping = True
        self.trigger.pull_trigger()

    def run(self, events: Events) -> int:
        """Serve until ``stop``, then finish the running requests.

        :returns: the number of threads that don't end in time.
        """
        look = 0.0
        while not self.stopping:
            if time.monotonic() >= look:
                self._close_overdue()
                self._refuse_overdue()
                events.alive()
                look = time.monotonic() + _TICK
            self._poll(_TICK)
        events.stopping()
        wasyncore.dispatcher.close(self)
        self._finish(time.monotonic() + self.options.stop_timeout)
        running = self._pools.stop()
        wasyncore.close_all(self._map)
        return running

    def add_task(self, task: Channel) -> None:
        """Have the first complete request of a channel answered, by a pool or the main thread."""
        task.request_since, task.has_asked = None, True
        request, here = task.requests[0], self._may_answer_here(task)
        if here and not request.error:
            request.immediate_answer = self._find_immediate_answer(request)
        pool = self._pool_of(request)
        if here and pool != "main" and self._pools[pool].is_full():
            request.error, pool = Overloaded(), "main"
        if here and pool == "main":
            task.answer_now = True
        else:
            self._pools[pool].add_task(task)

    def _pool_of(self, request: Parser) -> str:
        """Return the pool that answers a request; ``main`` for one that takes no time."""
        if request.error or request.immediate_answer is not None:
            return "main"
        if self.handling_of is None:
            return "reads"
        handling = request.handling or self.handling_of(
            request.command, request.path, request.query
        )
        return handling.pool

    def _find_immediate_answer(self, request: Parser) -> object:
        # An immediate answer is always the whole body.
        if self._immediate_answer is None or "RANGE" in request.headers:
            return None
        accepted = request.headers.get("ACCEPT_ENCODING", "")
        return self._immediate_answer(request.command, request.path, request.query, accepted)

    def add_head_check(self, check: HeadCheck) -> None:
        """Have the head of a held request checked, which is as slow as a read."""
        pool = self._pools["reads"]
        if pool.is_full():
            check.refuse()
        else:
            pool.add_task(check)

    def call_soon(self, function: Callable[[], object]) -> None:
        """Have the main thread call a function."""
        self._calls.put(function)
        self.trigger.pull_trigger()

    def pull_trigger(self) -> None:
        """Wake the main thread from another thread."""
        if threading.get_ident() != self._main_thread:
            super().pull_trigger()

    def fix_addr(self, addr: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the address of an IPv4 client of an IPv6 socket in IPv4 notation."""
        return (str(addr[0]).removeprefix("::ffff:"), *addr[1:])

    def _poll(self, seconds: float) -> None:
        """Wait for events of the connections, handle them, and make the calls of other threads."""
        _poll(seconds, self._map)
        while not self._calls.empty():
            self._guard(self._calls.get())

    def _guard(self, function: Callable[[], object]) -> None:
        try:
            function()
        except Exception:
            # One connection must not stop the server.
            logger.exception("A connection failed")

    def _refuse_overdue(self) -> None:
        """Answer with 503 where no thread became free in time."""
        for task in self._pools.take_overdue(time.monotonic() - self.options.queue_timeout):
            self._guard(task.refuse)

    def _may_answer_here(self, channel: Channel) -> bool:
        """Whether this is the main thread and could send a short answer without waiting."""
        return threading.get_ident() == self._main_thread and not channel.total_outbufs_len

    def _close_overdue(self) -> None:
        idle_since = time.time() - self.options.channel_timeout
        now = time.monotonic()
        for channel in self._channels():
            idle = not channel.busy() and channel.last_activity < idle_since
            if idle or channel.overdue(now):
                channel.handle_close()

    def _finish(self, deadline: float) -> None:
        # Requests that the kernel has already received count as running.
        self._poll(0)
        while unfinished := self._close_idle():
            if time.monotonic() > deadline:
                logger.warning("Stopped with %d requests unfinished", unfinished)
                break
            self._poll(0.1)

    def _close_idle(self) -> int:
        busy = 0
        for channel in self._channels():
            if channel.busy() or channel.is_new():
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
    events: Events,
    immediate_answer: ImmediateAnswer | None = None,
    handling_of: HandlingOf | None = None,
) -> int:
    """Answer requests on ``listener`` until SIGTERM or SIGINT.

    The main thread sends immediate answers itself: switching to another thread and back would cost
    more than the answer.

    :param immediate_answer: called for each request; its result is passed to ``app`` in the
        environ.
    :param handling_of: called for each request that has no immediate answer.
    :returns: the number of threads that don't end in time.
    """
    server = Server(listener, app, options, immediate_answer, handling_of)
    reloads = [] if RELOAD is None else [RELOAD]
    with (
        handling(server.stop, signal.SIGTERM, signal.SIGINT),
        handling(lambda *_: server.call_soon(events.reload), *reloads),
    ):
        events.ready()
        return server.run(events)


def _adjustments(options: Options) -> Adjustments:
    return Adjustments(
        threads=options.threads,
        connection_limit=options.connection_limit,
        channel_timeout=options.channel_timeout,
        # waitress already refuses a request that reaches the limit exactly.
        max_request_header_size=options.max_head + 1,
        max_request_body_size=options.max_body + 1,
        inbuf_overflow=IN_MEMORY,
        # With the default, a file of 10 MiB arrives in more than a thousand pieces.
        recv_bytes=IN_MEMORY,
        channel_request_lookahead=0,
        asyncore_use_poll=True,
        ident="",
        server_name=options.host,
        log_socket_errors=False,
        # masthead.server.proxy does it: it supports networks and refuses nothing.
        clear_untrusted_proxy_headers=False,
    )
