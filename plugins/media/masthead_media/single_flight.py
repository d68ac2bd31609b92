"""Do the same work once for all threads that ask for it at the same time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Generic, TypeVar

T = TypeVar("T")


class SingleFlight(Generic[T]):
    """Work in progress, by key."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: dict[str, Future[T]] = {}

    def run(self, key: str, work: Callable[[], T], seconds: float) -> T:
        """Return the result of the work with this key, which one thread does for all.

        An exception is raised in all threads.

        :param seconds: the maximum time to wait for another thread.
        :raises TimeoutError: if the other thread takes longer.
        """
        ours = Future[T]()
        with self._lock:
            running = self._running.setdefault(key, ours)
        if running is not ours:
            return running.result(seconds)
        try:
            ours.set_result(work())
        except BaseException as error:
            ours.set_exception(error)
            raise
        finally:
            with self._lock:
                del self._running[key]
        return ours.result()
