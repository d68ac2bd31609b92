"""The pace at which a relay takes mail."""

from __future__ import annotations

import time


class Pace:
    """Allows so many letters a second, and never a second's worth at once.

    :param rate: letters a second; 0 for as many as there are.
    """

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._next = time.monotonic()

    def allows(self) -> bool:
        """Whether a letter may be begun now."""
        return not self._rate or time.monotonic() >= self._next

    def count(self) -> None:
        """Note that a letter was begun."""
        if self._rate:
            # What was missed while nothing was to be sent isn't caught up.
            self._next = max(self._next, time.monotonic() - 0.1) + 1 / self._rate

    def share(self, seconds: float) -> float:
        """How many letters it allows in that time."""
        return self._rate * seconds if self._rate else float("inf")
