"""Slow work whose results many requests want: a thread does it once for all of them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

Result = TypeVar("Result")


class SharedRun(Generic[Result]):
    """Runs work in a thread of its own, and waits for the results only briefly.

    The work may hang in a database that doesn't answer. Its thread then keeps running, and further
    requests get the results so far at once instead of starting more threads.

    :param work: puts each result into the dictionary as soon as it is known.
    :param seconds: the time in which it has to end; results that come later are missing.
    """

    def __init__(
        self, name: str, work: Callable[[dict[str, Result]], object], seconds: float
    ) -> None:
        self._name = name
        self._work = work
        self._seconds = seconds
        self._lock = threading.Lock()
        self._run: _Run[Result] | None = None

    def results(self, kept_seconds: float) -> dict[str, Result]:
        """Return the results by their names.

        :param kept_seconds: the time after the end of a run for which its results are used again.
        """
        with self._lock:
            run = self._run
            if run is None or run.is_over(kept_seconds):
                run = self._run = _Run(self._work)
                threading.Thread(target=run.do, name=self._name, daemon=True).start()
        run.ended.wait(max(0.0, run.began + self._seconds - time.monotonic()))
        return dict(run.results)

    def forget(self) -> None:
        """Run again when results are next asked for."""
        with self._lock:
            self._run = None


class _Run(Generic[Result]):
    def __init__(self, work: Callable[[dict[str, Result]], object]) -> None:
        self.began = time.monotonic()
        self.ended = threading.Event()
        self.results: dict[str, Result] = {}
        self._work = work
        self._ended_at = 0.0

    def is_over(self, kept_seconds: float) -> bool:
        """Whether it has ended, and its results are too old to be used."""
        return self.ended.is_set() and time.monotonic() - self._ended_at >= kept_seconds

    def do(self) -> None:
        try:
            self._work(self.results)
        finally:
            self._ended_at = time.monotonic()
            self.ended.set()
