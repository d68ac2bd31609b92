"""Collapsing of simultaneous requests: one computes the answer, and the others wait for it."""

from __future__ import annotations

import threading
import time
from collections.abc import Hashable
from typing import Generic, TypeVar

Result = TypeVar("Result")


class Flight(Generic[Result]):
    """A computation whose result several threads want."""

    def __init__(self, seconds: float) -> None:
        self._until = time.monotonic() + seconds
        self._ended = threading.Event()
        self._result: Result | None = None

    @property
    def is_overdue(self) -> bool:
        """Whether nobody waits for it any longer."""
        return time.monotonic() >= self._until

    def wait(self) -> Result | None:
        """Return the result; None if there is none, or it doesn't come in time."""
        self._ended.wait(max(0.0, self._until - time.monotonic()))
        return self._result

    def end(self, result: Result | None) -> None:
        """Set the result and wake the waiting threads."""
        self._result = result
        self._ended.set()


class Flights(Generic[Result]):
    """The computations in progress.

    :param seconds: how long threads wait for a computation, from its beginning. It bounds the time
        that a computation that hangs costs others; a later thread computes by itself.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._flights: dict[Hashable, Flight[Result]] = {}

    def join(self, key: Hashable) -> tuple[Flight[Result], bool]:
        """Return the computation for a key, and whether the caller has to do it.

        A caller that has to do it must call ``end``, whatever happens.
        """
        with self._lock:
            flight = self._flights.get(key)
            if flight is not None and not flight.is_overdue:
                return flight, False
            flight = self._flights[key] = Flight(self._seconds)
            return flight, True

    def end(self, key: Hashable, flight: Flight[Result], result: Result | None) -> None:
        """End a computation, with its result or without one."""
        with self._lock:
            if self._flights.get(key) is flight:
                del self._flights[key]
        flight.end(result)
