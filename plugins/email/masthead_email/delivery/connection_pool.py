"""ConnectionPool: where the courier gets its channels from, a relay or any other transport."""

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
    """What the courier hands letters to."""

    closed: bool

    @property
    def can_accept(self) -> bool:
        """Whether it can take another letter."""

    @property
    def idle(self) -> bool:
        """Whether nothing is on its way, nor told."""

    @property
    def has_results(self) -> bool:
        """Whether it has results to tell, without anything having to arrive."""

    def offer(self, envelope: Envelope) -> None:
        """Give it the next letter, while it is can_accept."""

    def advance(self) -> None:
        """Hand over what can be; nothing before is in doubt."""

    def receive(self) -> list[Result]:
        """What became of letters since it was last asked."""

    def close(self) -> None:
        """Close it, whatever is on its way."""


class ConnectionPool(Protocol):
    """Opens channels."""

    @property
    def opening(self) -> int:
        """How many are being opened."""

    def open(self, wanted: int) -> None:
        """See that so many are open, or being opened, as far as they are allowed."""

    def take_opened(self) -> list[DeliveryChannel]:
        """Those that were opened since it was last asked; raises what kept one from opening."""

    def discard(self, channel: DeliveryChannel) -> None:
        """Take note of a channel that has closed."""


class SequentialPool:
    """The one channel of a transport that takes letters one at a time."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._new: list[DeliveryChannel] = []
        self._created = False
        self.opening = 0

    def open(self, wanted: int) -> None:
        """Make the channel."""
        if wanted and not self._created:
            self._created = True
            self._new.append(SequentialChannel(self._transport))

    def take_opened(self) -> list[DeliveryChannel]:
        """The channel, once."""
        new, self._new = self._new, []
        return new

    def discard(self, _channel: DeliveryChannel) -> None:
        """It is never lost."""


class SMTPPool:
    """Connections to a relay, opened beside each other.

    :param most: so many at a time.
    :param timeout: seconds for each reply.
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
        """How many are being opened."""
        return len(self._connecting)

    def open(self, wanted: int) -> None:
        """Open as many as are wanted and allowed."""
        while self._open_count + len(self._connecting) < min(wanted, self._limit):
            self._connecting.append(
                self._executor.submit(open_connection, self._relay, self._host_name, self._timeout)
            )

    def take_opened(self) -> list[DeliveryChannel]:
        """Those that were opened since it was last asked.

        :raises RelayDownError: where one couldn't be opened, and
        :raises RelayRejectedError: where none ever can be; each once.
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
        """Go on with fewer connections than were wanted, but not with none."""
        error = self._error
        if error is None or (self._connecting and not self._open_count):
            return
        self._error = None
        if not self._open_count:
            raise error
        logger.warning("No further connection: %s", error)
        self._limit = min(self._limit, self._open_count)

    def discard(self, channel: DeliveryChannel) -> None:
        """Ask for fewer where there were too many, and more slowly where it was confused."""
        self._open_count -= 1
        if isinstance(channel, Channel):
            if channel.relay_busy:
                self._halve()
            if channel.desynchronised:
                self._no_pipelining = True

    def reset(self) -> None:
        """Forget what is open; the next time one more connection may be tried."""
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
