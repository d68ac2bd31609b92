"""The rules of repeated attempts."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

FIRST_DELAY = timedelta(seconds=40)
MOST_ATTEMPTS = 12
"""The delays between them add up to about 23 hours."""
_LONGEST = timedelta(hours=24)
_JITTER = 0.2
GONE = 410
"""The status by which a webhook says that it must not be called again."""


def next_delay(attempts: int, retry_after: str | None, now: datetime) -> timedelta:
    """Return the time until the next attempt.

    :param attempts: the number of attempts that have failed.
    :param retry_after: the header of the last answer, which may ask for a longer time.
    """
    # The jitter keeps calls that have failed together from being repeated together.
    factor = random.uniform(1 - _JITTER, 1 + _JITTER)  # noqa: S311 (no secret depends on it)
    delay = FIRST_DELAY * (2.0 ** (attempts - 1) * factor)
    return min(max(delay, _read(retry_after, now)), _LONGEST)


def _read(retry_after: str | None, now: datetime) -> timedelta:
    text = (retry_after or "").strip()
    if text.isascii() and text.isdigit():
        return timedelta(seconds=min(int(text[:9]), int(_LONGEST.total_seconds())))
    try:
        until = parsedate_to_datetime(text)
    except ValueError:
        return timedelta(0)
    return until.replace(tzinfo=until.tzinfo or UTC) - now
