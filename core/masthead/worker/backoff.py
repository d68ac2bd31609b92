"""The delays before work that has failed is tried again: exponential backoff with jitter."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import datetime, timedelta

from masthead.http.dates import read_date

_MAX_EXPONENT = 32  # after weeks of failures, the number would overflow


@dataclass(frozen=True)
class Backoff:
    """A delay that doubles with each failure in a row."""

    first: timedelta
    """The delay after the first failure."""
    longest: timedelta
    """The limit of each delay, also of one that another server asks for."""
    jitter: float = 0.2
    """The share by which delays vary at random, so that calls which have failed together aren't
    repeated together."""

    def delay(self, failures: int) -> timedelta:
        """Return the delay after a number of failures in a row."""
        # No secret depends on the random number.
        factor = random.uniform(1 - self.jitter, 1 + self.jitter)  # noqa: S311
        seconds = self.first.total_seconds() * 2.0 ** min(failures - 1, _MAX_EXPONENT) * factor
        return timedelta(seconds=min(seconds, self.longest.total_seconds()))

    def delay_asked(self, failures: int, retry_after: str | None, now: datetime) -> timedelta:
        """Return the delay after an answer that may ask for a longer one.

        :param retry_after: the header ``Retry-After`` of the answer (RFC 9110 section 10.2.3).
        """
        return min(max(self.delay(failures), _asked(retry_after or "", now)), self.longest)


def _asked(retry_after: str, now: datetime) -> timedelta:
    text = retry_after.strip()
    if text.isascii() and text.isdigit():
        return timedelta(seconds=int(text[:9]))
    until = read_date(text)
    return until - now if until is not None else timedelta(0)
