"""The rate limiter for messages to the relay."""

from __future__ import annotations

import time
from collections import deque

_MOST_ACCEPTED = 100_000
"""The number of accepted messages whose times are kept."""


class RateLimiter:
    """Spaces messages evenly, without bursts."""

    rate = 0.0
    """Messages per second; 0 means unlimited."""

    def __init__(self) -> None:
        self._next = time.monotonic()
        self._accepted: deque[float] = deque(maxlen=_MOST_ACCEPTED)

    def is_ready(self) -> bool:
        """Whether a message may start now."""
        return not self.rate or time.monotonic() >= self._next

    def delay(self) -> float:
        """The number of seconds until the next message may start."""
        return max(0.0, self._next - time.monotonic()) if self.rate else 0.0

    def record(self) -> None:
        """Record that a message has started."""
        if self.rate:
            # Idle time earns no burst beyond a tenth of a second.
            self._next = max(self._next, time.monotonic() - 0.1) + 1 / self.rate

    def record_accepted(self) -> None:
        """Record that the relay has accepted a message."""
        self._accepted.append(time.monotonic())

    def accepted_within(self, seconds: float) -> int:
        """Return the number of messages that the relay has accepted within the last seconds."""
        since = time.monotonic() - seconds
        while self._accepted and self._accepted[0] < since:
            self._accepted.popleft()
        return len(self._accepted)

    def capacity(self, seconds: float) -> float:
        """The number of messages that may start within a time."""
        return self.rate * seconds if self.rate else float("inf")
