"""Lines: where the courier gets its channels from, a relay or any other transport."""

from __future__ import annotations

import logging
import socket
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Protocol

from masthead_email.delivery.transports import SlowChannel, Transport
from masthead_email.results import Envelope, Result
from masthead_email.smtp.channel import Channel
from masthead_email.smtp.opening import Opened, RelayBusyError, open_connection
from masthead_email.smtp.relay import Relay

logger = logging.getLogger(__name__)


class AnyChannel(Protocol):
    """What the courier hands letters to."""

    closed: bool

    @property
    def hungry(self) -> bool:
        """Whether it can take another letter."""

    @property
    def idle(self) -> bool:
        """Whether nothing is on its way, nor told."""

    @property
    def tells(self) -> bool:
        """Whether it has results to tell, without anything having to arrive."""

    def offer(self, envelope: Envelope) -> None:
        """Give it the next letter, while it is hungry."""

    def go(self) -> None:
        """Hand over what can be; nothing before is in doubt."""

    def receive(self) -> list[Result]:
        """What became of letters since it was last asked."""

    def close(self) -> None:
        """Close it, whatever is on its way."""


class Lines(Protocol):
    """Opens channels."""

    @property
    def opening(self) -> int:
        """How many are being opened."""

    def open(self, wanted: int) -> None:
        """See that so many are open, or being opened, as far as they are allowed."""

    def opened(self) -> list[AnyChannel]:
        """Those that were opened since it was last asked; raises what kept one from opening."""

    def lost(self, channel: AnyChannel) -> None:
        """Take note of a channel that has closed."""


class SlowLine:
    """The one channel of a transport that takes letters one at a time."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._new: list[AnyChannel] = []
        self._used = False
        self.opening = 0

    def open(self, wanted: int) -> None:
        """Make the channel."""
        if wanted and not self._used:
            self._used = True
            self._new.append(SlowChannel(self._transport))

    def opened(self) -> list[AnyChannel]:
        """The channel, once."""
        new, self._new = self._new, []
        return new

    def lost(self, _channel: AnyChannel) -> None:
        """It is never lost."""


class RelayLines:
    """Connections to a relay, opened beside each other.

    :param most: so many at a time.
    :param timeout: seconds for each reply.
    """

    def __init__(self, relay: Relay, most: int, timeout: float) -> None:
        self._relay = relay
        self._allowed = most
        self._most = most
        self._timeout = timeout
        self._our_name = _our_name()
        self._lock_step = False
        self._open = 0
        self._trouble: BaseException | None = None
        self._futures: list[Future[Opened]] = []
        self._threads = ThreadPoolExecutor(most, thread_name_prefix="relay")

    @property
    def opening(self) -> int:
        """How many are being opened."""
        return len(self._futures)

    def open(self, wanted: int) -> None:
        """Open as many as are wanted and allowed."""
        while self._open + len(self._futures) < min(wanted, self._allowed):
            self._futures.append(
                self._threads.submit(open_connection, self._relay, self._our_name, self._timeout)
            )

    def opened(self) -> list[AnyChannel]:
        """Those that were opened since it was last asked.

        :raises RelayDownError: where one couldn't be opened, and
        :raises RelayRefusesError: where none ever can be; each once.
        """
        finished = [future for future in self._futures if future.done()]
        found: list[AnyChannel] = []
        for future in finished:
            self._futures.remove(future)
            error = future.exception()
            if error is None:
                lock_step = self._lock_step
                found.append(Channel(future.result(), self._timeout, lock_step=lock_step))
                continue
            self._trouble = error
            if isinstance(error, RelayBusyError):
                self._halve()
        self._open += len(found)
        self._judge()
        return found

    def _judge(self) -> None:
        """Go on with fewer connections than were wanted, but not with none."""
        trouble = self._trouble
        if trouble is None or (self._futures and not self._open):
            return
        self._trouble = None
        if not self._open:
            raise trouble
        logger.warning("No further connection: %s", trouble)
        self._allowed = min(self._allowed, self._open)

    def lost(self, channel: AnyChannel) -> None:
        """Ask for fewer where there were too many, and more slowly where it was confused."""
        self._open -= 1
        if isinstance(channel, Channel):
            if channel.busy:
                self._halve()
            if channel.confused:
                self._lock_step = True

    def rest(self) -> None:
        """Forget what is open; the next time one more connection may be tried."""
        for future in self._futures:
            if not future.cancel():
                future.add_done_callback(_close)
        self._futures.clear()
        self._open, self._trouble = 0, None
        self._allowed = min(self._allowed + 1, self._most)

    def _halve(self) -> None:
        self._allowed = max(1, self._allowed // 2)


def _close(future: Future[Opened]) -> None:
    if not future.cancelled() and future.exception() is None:
        future.result().socket.close()


def _our_name() -> str:
    name = socket.getfqdn()
    return name if "." in name and name.isascii() and " " not in name else "localhost.localdomain"
