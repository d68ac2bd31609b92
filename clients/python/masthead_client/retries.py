"""The rule by which a request without an answer, or with one that tells to wait, is repeated."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

import httpx

from masthead_client.errors import seconds_in

_REPEATED = frozenset({429, 502, 503, 504})


@dataclass(frozen=True)
class Retry:
    """The number of attempts, and the pauses between them.

    Only requests that can be repeated without another effect are: ``GET``, ``HEAD``, and those with
    an ``Idempotency-Key``. The pause doubles each time, less up to a half of it by chance, and is
    at least that in ``Retry-After``; if that is above ``longest``, there is no further attempt.
    """

    attempts: int = 4
    first: float = 0.5
    """The seconds before the second attempt."""
    longest: float = 30
    """The largest number of seconds between two attempts."""

    def pause(self, failures: int) -> float:
        """Return the seconds to wait after a number of failures in a row."""
        whole = min(self.longest, self.first * 2.0 ** min(failures - 1, 30))
        # Clients that failed together shouldn't come back together.
        return whole * random.uniform(0.5, 1)  # noqa: S311 - it is no secret

    def pauses(self) -> Iterator[float]:
        """Yield the pause after each attempt but the last."""
        return (self.pause(failures) for failures in range(1, self.attempts))

    def wait(self, response: httpx.Response, pause: float) -> float | None:
        """Return the seconds until the request should be repeated; None if it should not."""
        wait = max(pause, seconds_in(response) or 0)
        return wait if response.status_code in _REPEATED and wait <= self.longest else None
