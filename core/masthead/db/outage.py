"""Outages of the database: one failure is enough to stop waiting, and a prober finds its return.

A request that loses the database, or waits for it suspiciously long, starts a probe outside of the
pools. If the probe fails too, the database counts as away: nothing waits for it any more, until a
probe succeeds.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from masthead.db.waits import DatabaseAway, is_lost

logger = logging.getLogger(__name__)

SUSPICION = 1.5
"""Seconds of waiting for one answer after which the database is probed."""
PROBE_SECONDS = 3
"""Seconds in which a probe has to succeed."""
_PAUSE = 1.0  # seconds between probes

_logged: dict[str, Outage] = {}
"""The outages that the log has told of; a server and a worker in one process share the lines."""


class Outage:
    """Whether a database is away, and since when.

    :param place: the database, in the words of a person; only one outage of a place is logged.
    :param probe: opens a new connection, uses and closes it, within ``PROBE_SECONDS``; raises an
        exception if that fails.
    """

    def __init__(self, place: str, probe: Callable[[], object]) -> None:
        self.name = "The database"
        """The subject of the log lines."""
        self.is_watched = False
        """Whether failures are examined: by servers and workers, not by commands."""
        self.number = 0
        """The number of outages so far; connections from before the last one are useless."""
        self._place = place
        self._probe = probe
        self._lock = threading.Lock()
        self._since: float | None = None
        self._probing = False
        self._ended = threading.Event()
        self._decided = threading.Event()
        self._heard_at = float("-inf")
        self._refused = self._cached = 0

    @property
    def is_open(self) -> bool:
        """Whether the database is away."""
        return self._since is not None

    @property
    def seconds(self) -> float:
        """The duration of the outage so far; 0 if there is none."""
        since = self._since
        return 0.0 if since is None else time.monotonic() - since

    def heard(self) -> None:
        """Note that the database has just answered."""
        self._heard_at = time.monotonic()

    def suspect(self, error: BaseException | None = None) -> None:
        """Have the database probed in another thread, unless that is done already.

        :param error: the error of a request; one that has other causes is ignored. None for a
            request that waits long, which is ignored if the database has just answered another.
        """
        if error is None and time.monotonic() - self._heard_at < _PAUSE:
            return
        if error is not None and not is_lost(error):
            return
        with self._lock:
            if self._probing or not self.is_watched:
                return
            self._probing, self._ended = True, threading.Event()
            self._decided = threading.Event()
        arguments = (self._ended, error)
        threading.Thread(target=self._run, args=arguments, name="outage", daemon=True).start()

    def check(self) -> None:
        """Wait for the result of a running probe, because a new connection could wait longer.

        :raises DatabaseAway: if the database is away.
        """
        if self._probing and self._since is None:
            self._decided.wait(PROBE_SECONDS)
        if self._since is not None:
            raise DatabaseAway

    def covers(self, error: BaseException) -> bool:
        """Count a request that failed; return whether the log lines of an outage cover it.

        While the database is away, other errors follow from that, for example of rollbacks.
        """
        with self._lock:
            is_covered = self.is_open or (self._probing and is_lost(error))
            self._refused += is_covered
            return is_covered

    def count_cached(self) -> None:
        """Count a request that was answered from the cache although the database is away."""
        with self._lock:
            self._cached += 1

    def end(self) -> None:
        """End the probing, because the connections of the database are closed."""
        with self._lock:
            self._ended.set()
            self._forget()

    def _forget(self) -> bool:
        """Reset the state; return whether the log has told of the outage."""
        self._decided.set()
        self._since, self._probing, self._refused, self._cached = None, False, 0, 0
        is_logged = _logged.get(self._place) is self
        if is_logged:
            del _logged[self._place]
        return is_logged

    def _run(self, ended: threading.Event, error: BaseException | None) -> None:
        cause = self._failure()
        if cause is not None and self._open(ended, cause):
            while not ended.wait(_PAUSE) and self._failure() is not None:
                pass
        self._close(ended, one_line(error) if error else "")

    def _failure(self) -> str | None:
        """Probe the database; return the cause of a failure."""
        began = time.monotonic()
        try:
            self._probe()
        # The drivers and the system raise many classes, and each means that the probe failed.
        except Exception as error:  # noqa: BLE001
            # A server without free connections still answers those that it has.
            return None if self._heard_at > began else one_line(error)
        self.heard()
        return None

    def _open(self, ended: threading.Event, cause: str) -> bool:
        with self._lock:
            if ended.is_set():
                return False
            self._since = time.monotonic()
            self.number += 1
            self._decided.set()
            is_first = _logged.setdefault(self._place, self) is self
        if is_first:
            logger.error("%s can't be reached: %s", self.name, cause)
        return True

    def _close(self, ended: threading.Event, cause: str) -> None:
        with self._lock:
            if ended.is_set():
                return
            seconds, was_open = self.seconds, self.is_open
            refused, cached = self._refused, self._cached
            is_logged = self._forget()
        if is_logged:
            logger.warning(
                "%s answers again after %.1f s; meanwhile %d requests or jobs failed and"
                " %d requests were answered from the cache",
                self.name,
                seconds,
                refused,
                cached,
            )
        elif refused and not was_open:
            logger.warning("%d requests or jobs lost the database briefly: %s", refused, cause)


def one_line(error: BaseException) -> str:
    """Return the message of an error in one line, without the statement and its parameters."""
    return " ".join(str(getattr(error, "orig", None) or error).split()) or type(error).__name__
