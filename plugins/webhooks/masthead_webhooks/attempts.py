"""The rules of repeated attempts."""

from __future__ import annotations

from datetime import timedelta

from masthead import Backoff

MOST_ATTEMPTS = 12
RETRY = Backoff(first=timedelta(seconds=40), longest=timedelta(hours=24))
"""The delays between all attempts add up to about 23 hours."""
GONE = 410
"""The status by which a webhook says that it must not be called again."""
