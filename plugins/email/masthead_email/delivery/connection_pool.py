"""Connection pools: they open the channels of a relay or of another transport."""

from __future__ import annotations

import logging
import socket
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Protocol

from masthead_email.delivery.transports import SequentialChannel, Transport
from masthead_email.results import Envelope, Result
from masthead_email.smtp.channel import Channel
from masthead_email.smtp.handshake import RelayBusyError, RelayConnection, open_connection
from masthead_email.smtp.relay import Relay

logger = logging.getLogger(__name__)


class DeliveryChannel(Protocol):
    """A channel that the dispatcher sends envelopes to."""

    closed: bool

    @property
    def can_accept(self) -> bool:
        """Whether it can take another envelope."""

    @property
    def idle(self) -> bool:
        """Whether nothing is in transit and no result is pending."""

    @property
    def has_results(self) -> bool:
        """Whether results are pending that need no further input."""

    def offer(self, envelope: Envelope) -> None:
        """Set the next envelope; only valid while ``can_accept`` is true."""

    def advance(self) -> None:
        """Send what is ready; the caller has committed all earlier results."""

    def receive(self) -> list[Result]:
        """Return the results since the last call."""

    def close(self) -> None:
        """Close it immediately."""


class ConnectionPool(Protocol):
    """Opens channels, and limits their number."""

    @property
    def opening(self) -> int:
        """The number of channels that are being opened."""

    def open(self, wanted: int) -> None:
        """Start opening channels until the wanted number, or the limit, is reached."""

    def take_opened(self) -> list[DeliveryChannel]:
        """Return the channels opened since the last call; raise why one couldn't be opened."""

    def discard(self, channel: DeliveryChannel) -> None:
        """Remove a channel that has closed."""


class SequentialPool:
    """The single channel of a transport that sends one message at a time."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._new: list[DeliveryChannel] = []
        self._created = False
        self.opening = 0

    def open(self, wanted: int) -> None:
        """Create the channel at the first call."""
        if wanted and not self._created:
            self._created = True
            self._new.append(SequentialChannel(self._transport))

    def take_opened(self) -> list[DeliveryChannel]:
        """Return the channel at the first call."""
        new, self._new = self._new, []
        return new

    def discard(self, _channel: DeliveryChannel) -> None:
        """Do nothing: the channel never closes by itself."""


class SMTPPool:
    """Opens connections to a relay in parallel.

    :param max_connections: the maximum number of connections at a time.
    :param timeout: seconds to wait for each reply.
    """

    def __init__(self, relay: Relay, max_connections: int, timeout: float) -> None:
        self._relay = relay
        self._limit = max_connections
        self._max_connections = max_connections
        self._timeout = timeout
        self._host_name = _host_name()
        self._no_pipelining = False
        self._open_count = 0
        self._error: BaseException | None = None
        self._connecting: list[Future[RelayConnection]] = []
        self._executor = ThreadPoolExecutor(max_connections, thread_name_prefix="relay")

    @property
    def opening(self) -> int:
        """The number of channels that are being opened."""
        return len(self._connecting)

    def open(self, wanted: int) -> None:
        """Start opening connections until the wanted number, or the limit, is reached."""
        while self._open_count + len(self._connecting) < min(wanted, self._limit):
            self._connecting.append(
                self._executor.submit(open_connection, self._relay, self._host_name, self._timeout)
            )

    def take_opened(self) -> list[DeliveryChannel]:
        """Return the connections opened since the last call.

        :raises RelayDownError: if none is open and the relay is unavailable.
        :raises RelayRejectedError: if none is open and the relay rejects us.
        """
        finished = [future for future in self._connecting if future.done()]
        found: list[DeliveryChannel] = []
        for future in finished:
            self._connecting.remove(future)
            error = future.exception()
            if error is None:
                no_pipelining = self._no_pipelining
                found.append(Channel(future.result(), self._timeout, no_pipelining=no_pipelining))
                continue
            self._error = error
            if isinstance(error, RelayBusyError):
                self._halve()
        self._open_count += len(found)
        self._raise_or_limit()
        return found

    def _raise_or_limit(self) -> None:
        """Raise the last error if no connection is open, else limit the pool to the open ones."""
        error = self._error
        if error is None or (self._connecting and not self._open_count):
            return
        self._error = None
        if not self._open_count:
            raise error
        logger.warning("Can't open another connection: %s", error)
        self._limit = min(self._limit, self._open_count)

    def discard(self, channel: DeliveryChannel) -> None:
        """Remove a closed channel, and adapt to the reason: fewer connections, or no pipelining."""
        self._open_count -= 1
        if isinstance(channel, Channel):
            if channel.relay_busy:
                self._halve()
            if channel.desynchronised:
                self._no_pipelining = True

    def reset(self) -> None:
        """Abandon all connections, and raise the limit by one for the next run."""
        for future in self._connecting:
            if not future.cancel():
                future.add_done_callback(_close_unused)
        self._connecting.clear()
        self._open_count, self._error = 0, None
        self._limit = min(self._limit + 1, self._max_connections)

    def _halve(self) -> None:
        self._limit = max(1, self._limit // 2)


def _close_unused(future: Future[RelayConnection]) -> None:
    if not future.cancelled() and future.exception() is None:
        future.result().socket.close()


def _host_name() -> str:
    name = socket.getfqdn()
    return name if "." in name and name.isascii() and " " not in name else "localhost.localdomain"
