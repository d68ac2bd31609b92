"""Connection pools: they open and keep the channels of a relay or of another transport."""

from __future__ import annotations

import logging
import socket
import time
import weakref
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Protocol

from masthead_email.delivery.relay_record import RelayRecord
from masthead_email.delivery.transports import SequentialChannel, Transport
from masthead_email.results import Envelope, Result
from masthead_email.smtp.channel import Channel
from masthead_email.smtp.handshake import RelayBusyError, RelayConnection, open_connection
from masthead_email.smtp.relay import Relay

logger = logging.getLogger(__name__)

_RELAXED_AFTER = 3600.0
"""Seconds after which a learned limit of connections is raised by one."""


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

    @property
    def can_open(self) -> bool:
        """Whether the limit permits another channel now."""

    @property
    def messages_per_channel(self) -> int:
        """The number of messages that one channel can be expected to send."""

    def open(self, wanted: int) -> None:
        """Start opening channels until the wanted number, or the limit, is reached."""

    def take_opened(self) -> list[DeliveryChannel]:
        """Return the channels opened since the last call; raise why one couldn't be opened."""

    def discard(self, channel: DeliveryChannel) -> None:
        """Remove a channel that has closed."""

    def keep(self, channel: DeliveryChannel) -> None:
        """Keep an idle channel for the next run."""


class SequentialPool:
    """The single channel of a transport that sends one message at a time."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._new: list[DeliveryChannel] = []
        self._created = False
        self.opening = 0
        self.messages_per_channel = 1

    @property
    def can_open(self) -> bool:
        """Whether the channel isn't created yet."""
        return not self._created

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

    def keep(self, _channel: DeliveryChannel) -> None:
        """Do nothing: the channel holds no connection."""


class SMTPPool:
    """Opens connections to a relay in parallel, within the limits that it has learned.

    :param max_connections: the maximum number of connections at a time.
    :param timeout: seconds to wait for each reply.
    :param record: the record of the relay, which has the limits that all workers share.
    """

    def __init__(
        self, relay: Relay, max_connections: int, timeout: float, record: RelayRecord
    ) -> None:
        self._relay = relay
        self._record = record
        self._limit = self._max_connections = max_connections
        self._limited_at = 0.0
        self._timeout = timeout
        self._host_name = _host_name()
        self._no_pipelining = False
        self._open_count = self._most_open = 0
        self._message_limit: int | None = None
        self.known_message_limit: int | None = None
        """The limit of messages on a connection that was known when this run began."""
        self._last_count = 0
        """The number of messages on the last connection that the relay has cut off."""
        self._no_login_before = 0.0
        self._error: BaseException | None = None
        self._connecting: list[Future[RelayConnection]] = []
        self._kept: list[Channel] = []
        self._executor = ThreadPoolExecutor(max_connections, thread_name_prefix="relay")
        weakref.finalize(self, _close_all, self._kept, self._connecting)

    @property
    def opening(self) -> int:
        """The number of channels that are being opened."""
        return len(self._connecting)

    @property
    def can_open(self) -> bool:
        """Whether the limits permit another connection now."""
        if self._open_count + len(self._connecting) >= self._limit:
            return False
        return time.monotonic() >= self._no_login_before

    @property
    def messages_per_channel(self) -> int:
        """The number of messages that one channel can be expected to send."""
        return self._message_limit or 1

    def begin(self) -> None:
        """Read the limits that other workers have learned, and relax an old one."""
        self._message_limit = self.known_message_limit = self._record.message_limit()
        is_old = time.monotonic() - self._limited_at > _RELAXED_AFTER
        if self._limit < self._max_connections and is_old:
            self._set_limit(self._limit + 1)

    def login_delay(self) -> float:
        """The number of seconds before a login is allowed, if no connection is open."""
        return 0.0 if self._kept else max(0.0, self._no_login_before - time.monotonic())

    def open(self, wanted: int) -> None:
        """Start opening connections until the wanted number, or the limit, is reached."""
        lacking = min(wanted, self._limit) - self._open_count - len(self._connecting)
        if lacking <= 0 or not self.can_open:
            return
        times, seconds = self._record.begin_logins(lacking)
        if seconds:
            self._no_login_before = time.monotonic() + seconds
        self._connecting += [self._executor.submit(self._log_in, at) for at in times]

    def _log_in(self, at: float) -> RelayConnection:
        try:
            return open_connection(self._relay, self._host_name, self._timeout)
        except RelayBusyError as error:
            raise _RefusedLoginError(at, error) from error

    def take_opened(self) -> list[DeliveryChannel]:
        """Return the connections opened since the last call.

        :raises RelayDownError: if none is open and the relay is unavailable.
        :raises RelayRejectedError: if none is open and the relay rejects us.
        """
        found: list[DeliveryChannel] = self._take_kept()
        refused: list[_RefusedLoginError] = []
        for future in [future for future in self._connecting if future.done()]:
            self._connecting.remove(future)
            error = future.exception()
            if error is None:
                found.append(self._channel(future.result()))
                self._open_count += 1
            elif isinstance(error, _RefusedLoginError):
                refused.append(error)
            else:
                self._error = error
        self._most_open = max(self._most_open, self._open_count)
        for each in refused:
            self._learn(each)
        self._raise_or_limit()
        return found

    def _take_kept(self) -> list[DeliveryChannel]:
        kept = self._kept[:]
        self._kept.clear()
        for channel in kept:
            if not channel.is_alive():
                channel.close()
                self._open_count -= 1
        return [channel for channel in kept if not channel.closed]

    def _channel(self, opened: RelayConnection) -> Channel:
        return Channel(
            opened,
            self._timeout,
            no_pipelining=self._no_pipelining,
            max_messages=self._message_limit,
        )

    def _learn(self, refused: _RefusedLoginError) -> None:
        """Find out which limit a refused login has hit."""
        if self._open_count and self._open_count >= self._most_open:
            # More connections than now were never open.
            self._record.forget_login(refused.at)
            self._limit_to_open(refused.error)
        elif not self._record.refuse_login(refused.at):
            self._error = refused.error

    def _raise_or_limit(self) -> None:
        """Raise the last error if no connection is open, else limit the pool to the open ones."""
        error = self._error
        if error is None or (self._connecting and not self._open_count):
            return
        self._error = None
        if not self._open_count:
            raise error
        self._limit_to_open(error)

    def _limit_to_open(self, error: BaseException) -> None:
        logger.warning("Can't open another connection: %s", error)
        self._set_limit(min(self._limit, self._open_count))

    def discard(self, channel: DeliveryChannel) -> None:
        """Remove a closed channel, and adapt to the reason."""
        self._open_count -= 1
        if not isinstance(channel, Channel):
            return
        if channel.desynchronised:
            self._no_pipelining = True
        if not channel.cut_off:
            return
        if not channel.accepted:
            self._set_limit(max(1, min(self._limit, self._open_count)))
        elif channel.accepted == self._last_count and self._last_count != self._message_limit:
            self._message_limit = self._last_count
            self._record.learn_message_limit(self._last_count)
        self._last_count = channel.accepted or self._last_count

    def keep(self, channel: DeliveryChannel) -> None:
        """Keep an idle connection for the next run."""
        if isinstance(channel, Channel):
            self._kept.append(channel)

    def keeps_any(self) -> bool:
        """Whether connections wait for the next run."""
        return bool(self._kept)

    def close_kept(self) -> None:
        """Close the connections that wait for the next run."""
        for channel in self._kept:
            channel.quit()
        self._open_count -= len(self._kept)
        self._kept.clear()

    def reset(self) -> None:
        """Abandon all connections after an error."""
        self.close_kept()
        _close_all([], self._connecting)
        self._connecting.clear()
        self._open_count, self._error = 0, None

    def _set_limit(self, limit: int) -> None:
        self._limit, self._limited_at = limit, time.monotonic()


class _RefusedLoginError(Exception):
    """The relay has refused a login for the moment."""

    def __init__(self, at: float, error: RelayBusyError) -> None:
        super().__init__(str(error))
        self.at = at
        self.error = error


def _close_all(kept: list[Channel], connecting: list[Future[RelayConnection]]) -> None:
    for channel in kept:
        channel.close()
    for future in connecting:
        if not future.cancel():
            future.add_done_callback(_close_unused)


def _close_unused(future: Future[RelayConnection]) -> None:
    if not future.cancelled() and future.exception() is None:
        future.result().socket.close()


def _host_name() -> str:
    name = socket.getfqdn()
    return name if "." in name and name.isascii() and " " not in name else "localhost.localdomain"
