"""The pace at which a relay takes mail."""

from __future__ import annotations

import time


class RateLimiter:
    """Allows so many letters a second, and never a second's worth at once."""

    rate = 0.0
    """Letters a second; 0 for as many as there are."""

    def __init__(self) -> None:
        self._next = time.monotonic()

    def is_ready(self) -> bool:
        """Whether a letter may be begun now."""
        return not self.rate or time.monotonic() >= self._next

    def delay(self) -> float:
        """Seconds until it allows a letter."""
        return max(0.0, self._next - time.monotonic()) if self.rate else 0.0

    def record(self) -> None:
        """Note that a letter was begun."""
        if self.rate:
            # What was missed while nothing was to be sent isn't caught up.
            self._next = max(self._next, time.monotonic() - 0.1) + 1 / self.rate

    def capacity(self, seconds: float) -> float:
        """How many letters it allows in that time."""
        return self.rate * seconds if self.rate else float("inf")
