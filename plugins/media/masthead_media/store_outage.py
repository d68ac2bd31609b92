"""Outages of a storage on another machine: requests don't queue for one that doesn't answer."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from masthead import Busy, Gauge

logger = logging.getLogger(__name__)

_PROCESSES_WITHOUT_IT = Gauge(
    "masthead_media_storage_away", "Processes that can't reach the storage of images at present."
)
AWAY = "The storage of images can't be reached; try again later"
_RETRY_AFTER = 5
_SLOW = 2.0
"""Seconds after which a failure counts as the sign of a storage that doesn't answer."""
_PAUSE = 1.0
"""Seconds between two tries of such a storage."""
_PATIENCE = 30.0
"""Seconds that one request may try while others are refused."""


class StoreOutage:
    """Answers 503 while a storage is away; only one request at a time waits for one that hangs."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_away = False
        self._next_try = float("-inf")

    @contextmanager
    def watch(self) -> Iterator[None]:
        """Watch a block that uses the storage.

        :raises Busy: if the storage can't be reached.
        """
        # obstore is large, and most processes never access an image.
        from obstore.exceptions import BaseError

        began = time.monotonic()
        self._take_turn(began)
        try:
            yield
        except BaseError as error:
            self._note_failure(error, time.monotonic() - began)
            raise Busy(AWAY, _RETRY_AFTER) from error
        except FileNotFoundError:
            self._note_answer()
            raise
        self._note_answer()

    def _take_turn(self, now: float) -> None:
        with self._lock:
            if now < self._next_try:
                raise Busy(AWAY, _RETRY_AFTER)
            if self._next_try > float("-inf"):
                self._next_try = now + _PATIENCE

    def _note_failure(self, error: Exception, seconds: float) -> None:
        with self._lock:
            # A quick failure holds no thread, and can be about a single file.
            self._next_try = time.monotonic() + _PAUSE if seconds > _SLOW else float("-inf")
            is_first, self._is_away = not self._is_away, True
        if is_first:
            _PROCESSES_WITHOUT_IT.set(1)
            logger.error("The storage can't be reached: %s", str(error).partition("\n")[0])

    def _note_answer(self) -> None:
        if self._is_away:
            with self._lock:
                was_away, self._is_away = self._is_away, False
                self._next_try = float("-inf")
            if was_away:
                _PROCESSES_WITHOUT_IT.set(0)
                logger.warning("The storage answers again")
