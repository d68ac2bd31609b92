"""The progress of a worker, for a watchdog that restarts a worker that hangs."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

_MOST_SILENCE = 60.0
"""Seconds; more than a worker waits for a lock of the database."""
_LONGEST_STEP = 3600.0
"""Seconds in which a portion of a job ends, or a chore asks whether it may go on."""


class Progress:
    """When the loop of a worker, and the heartbeat beside it, last made progress."""

    def __init__(self) -> None:
        self._stepped = self._beaten = time.monotonic()
        self._is_busy = False

    def step(self) -> None:
        """Note that the loop, or a job in it, goes on."""
        self._stepped = time.monotonic()

    def beat(self) -> None:
        """Note that the heartbeat, which keeps the lease of a job, goes on."""
        self._beaten = time.monotonic()

    @contextmanager
    def working(self) -> Iterator[None]:
        """Note that a job runs inside the block, which may take longer than a turn of the loop."""
        self.step()
        self._is_busy = True
        try:
            yield
        finally:
            self._is_busy = False
            self.step()

    def is_made(self) -> bool:
        """Whether the loop has turned lately, or runs a job whose lease is kept."""
        now = time.monotonic()
        if not self._is_busy:
            return now - self._stepped < _MOST_SILENCE
        is_kept = now - self._beaten < _MOST_SILENCE
        return is_kept and now - self._stepped < _LONGEST_STEP
