"""The decoders of this process, and the bounded queue of the images that wait for them."""

from __future__ import annotations

import atexit
import logging
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from masthead import Busy
from masthead_media.decoding.decoder import Decoder, Died, Killed

logger = logging.getLogger(__name__)

BUSY = "The server is busy with other images. Please try again."
MAX_WAIT = 10.0
"""The maximum number of seconds that an image waits for a decoder."""
_BY_THE_CLOCK = 3
"""The maximum time by the clock, as a multiple of the maximum CPU time."""
RETRY_AFTER = 5
"""The number of seconds after which a refused client tries again."""
_IDLE_SECONDS = 60.0
"""The time without a task after which a decoder ends, because each takes tens of MiB."""


@dataclass(frozen=True)
class Limits:
    """The limits of the decoders, from the settings of an instance."""

    processes: int
    queue: int
    """The number of images that may wait."""
    memory: int
    """Bytes per decoder."""
    seconds: int
    """CPU time per image; it may take three times as long by the clock."""


@dataclass(frozen=True)
class Result:
    """The result of a task."""

    seconds: float
    """The CPU time that it took."""
    fields: Mapping[str, Any] = field(default_factory=dict)
    content: bytes = b""
    failure: str = ""
    """Why the image can't be decoded within the limits; blank if it can."""
    is_temporary: bool = False
    """Whether a machine with less load may succeed: the decoder was killed within its limits of CPU
    time and memory."""


@dataclass(frozen=True, eq=False)
class _Ticket:
    """A place in the queue."""

    owner: str | None


class DecoderPool:
    """Decoders that start when they are needed, and the queue of the images that wait for them.

    An owner, such as the address of a visitor, has one decoder at a time and half of the queue.

    :param idle_seconds: the time without a task after which a decoder ends.
    """

    def __init__(self, idle_seconds: float = _IDLE_SECONDS) -> None:
        self._changed = threading.Condition()
        self._idle_seconds = idle_seconds
        self._queue: list[_Ticket] = []
        self._running: list[str | None] = []
        """The owners of the images that are being decoded."""
        self._idle: list[tuple[float, Decoder]] = []
        """The decoders without a task, and the monotonic times of their last ones."""
        self._is_retiring = False
        """Whether a timer will end decoders that stay idle."""
        self._decoders: set[Decoder] = set()
        self._closed = False

    def execute(
        self,
        task: Mapping[str, Any],
        read: Callable[[], bytes],
        limits: Limits,
        owner: str | None,
    ) -> Result:
        """Execute a task in a decoder, which is killed if it exceeds a limit.

        :param read: returns the bytes of the image; called when a decoder is free, so that waiting
            images take no memory.
        :param owner: the visitor who asks for it; None for staff and commands.
        :raises Busy: if no decoder is free in time, or none can be started.
        """
        with self._place(limits, owner), self._decoder() as decoder:
            message = {**task, "memory": limits.memory, "seconds": limits.seconds}
            began = time.monotonic()
            try:
                answer, made = decoder.execute(message, read(), _BY_THE_CLOCK * limits.seconds)
            except Died as error:
                if self._closed:
                    raise Busy(BUSY, RETRY_AFTER) from None
                logger.warning("An image could not be decoded: %s", error)
                seconds = time.monotonic() - began
                temporary = isinstance(error, Killed)
                return Result(seconds, failure=str(error), is_temporary=temporary)
        return Result(answer["seconds"], answer["fields"], made, answer["failure"])

    def close(self) -> None:
        """Kill all decoders; further tasks are refused."""
        with self._changed:
            self._closed = True
            for decoder in self._decoders:
                decoder.kill()
            idle, self._idle = self._idle, []
            self._changed.notify_all()
        for _, decoder in idle:
            decoder.close()

    def abandon(self) -> None:
        """Close the connections to the decoders of the process that this one was forked from."""
        for decoder in self._decoders:
            decoder.abandon()

    @contextmanager
    def _place(self, limits: Limits, owner: str | None) -> Iterator[None]:
        """Wait for the turn of a task."""
        ticket = _Ticket(owner)
        with self._changed:
            if self._is_full(ticket, limits):
                raise Busy(BUSY, RETRY_AFTER)
            self._queue.append(ticket)
            try:
                is_next = self._changed.wait_for(lambda: self._is_next(ticket, limits), MAX_WAIT)
                if not is_next or self._closed:
                    raise Busy(BUSY, RETRY_AFTER)
                self._running.append(owner)
            finally:
                self._queue.remove(ticket)
                self._changed.notify_all()
        try:
            yield
        finally:
            with self._changed:
                self._running.remove(owner)
                self._changed.notify_all()

    def _is_full(self, ticket: _Ticket, limits: Limits) -> bool:
        if self._may_run(ticket, limits) and self._next(limits) is None:
            return False
        owned = sum(each.owner == ticket.owner for each in self._queue)
        has_too_many = ticket.owner is not None and owned >= (limits.queue + 1) // 2
        return has_too_many or len(self._queue) >= limits.queue

    def _is_next(self, ticket: _Ticket, limits: Limits) -> bool:
        return self._closed or self._next(limits) is ticket

    def _next(self, limits: Limits) -> _Ticket | None:
        """Return the first ticket in the queue whose task may run now."""
        return next((each for each in self._queue if self._may_run(each, limits)), None)

    def _may_run(self, ticket: _Ticket, limits: Limits) -> bool:
        is_first = ticket.owner is None or ticket.owner not in self._running
        return is_first and len(self._running) < limits.processes

    @contextmanager
    def _decoder(self) -> Iterator[Decoder]:
        """Lend an idle decoder, or a new one."""
        decoder = self._take() or self._start()
        try:
            yield decoder
        finally:
            with self._changed:
                is_kept = decoder.is_usable and not self._closed
                if is_kept:
                    self._idle.append((time.monotonic(), decoder))
                    self._retire_later()
                else:
                    self._decoders.discard(decoder)
            if not is_kept:
                decoder.close()

    def _take(self) -> Decoder | None:
        with self._changed:
            while self._idle:
                _, decoder = self._idle.pop()
                if decoder.is_usable:
                    return decoder
                self._decoders.discard(decoder)
                decoder.close()
        return None

    def _retire_later(self) -> None:
        """Start the timer that ends idle decoders; the caller holds the lock."""
        if self._idle and not self._is_retiring and not self._closed:
            self._is_retiring = True
            due = self._idle[0][0] + self._idle_seconds
            timer = threading.Timer(max(0.0, due - time.monotonic()), self._retire)
            timer.daemon = True
            timer.start()

    def _retire(self) -> None:
        """End the decoders that have been idle for too long."""
        latest = time.monotonic() - self._idle_seconds
        with self._changed:
            retired = [decoder for since, decoder in self._idle if since <= latest]
            self._idle = [each for each in self._idle if each[0] > latest]
            self._decoders.difference_update(retired)
            self._is_retiring = False
            self._retire_later()
        for decoder in retired:
            decoder.close()

    def _start(self) -> Decoder:
        try:
            decoder = Decoder()
        except (OSError, Died) as error:
            logger.exception("A decoder of images can't be started")
            raise Busy(BUSY, RETRY_AFTER) from error
        with self._changed:
            self._decoders.add(decoder)
            if self._closed:
                # The pool was closed meanwhile, and didn't know this decoder.
                decoder.kill()
        return decoder


_pools = [DecoderPool()]


def pool() -> DecoderPool:
    """Return the pool of this process."""
    return _pools[-1]


def _replace() -> None:
    """Give a forked process a pool of its own; the old one is kept, as its decoders still run."""
    _pools[-1].abandon()
    _pools.append(DecoderPool())


atexit.register(lambda: pool().close())
os.register_at_fork(after_in_child=_replace)
