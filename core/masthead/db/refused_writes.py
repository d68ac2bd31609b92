"""Writes that the database or a disk refuses, such as a full one: logged in few lines."""

from __future__ import annotations

import logging
import threading
import time

from masthead.db.outage import one_line
from masthead.db.waits import Trouble

logger = logging.getLogger(__name__)

RECENT = 60.0
"""Seconds after which the trouble is logged again, and without which it counts as over."""


class RefusedWrites:
    """Counts refused writes; logs the first one, and further ones once in a minute."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._logged_at = self._seen_at = float("-inf")
        self._count = 0
        self._message = ""

    def note(self, trouble: Trouble, error: BaseException) -> None:
        """Count a request that was refused."""
        with self._lock:
            now = time.monotonic()
            self._seen_at, self._message = now, one_line(error)
            self._count += 1
            if now - self._logged_at < RECENT:
                return
            self._logged_at, count, self._count = now, self._count, 0
        logger.error("%s (%s; %d requests)", trouble.message, self._message, count)

    def recent(self) -> str | None:
        """Return the cause of the last refusal if it was in the last minute."""
        with self._lock:
            return self._message if time.monotonic() - self._seen_at < RECENT else None
