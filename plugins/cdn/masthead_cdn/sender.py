"""Sends waiting purges: at once after a commit in a thread, otherwise by a chore of the worker.

One process at a time purges a cache, by a lease on its row. All purges that are due are merged, so
that a burst of changes becomes one purge. A failure delays the next attempt; purges stay in the
table until they succeed. Those that have failed for a day become one purge of all answers.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from sqlalchemy import delete, func, select

from masthead import ALL_ANSWERS, Instance, utcnow
from masthead_cdn.caches import Cache, caches_of
from masthead_cdn.leases import Lease, note_failure, note_success, take_lease
from masthead_cdn.models import Purge

_AT_ONCE = 5_000
"""The number of stored purges that are merged."""
_RUN_SECONDS = 5.0
_MERGING = 0.1
"""The seconds for which a thread waits for further commits."""
_LONGEST_WAIT = 30.0
"""The seconds until a due purge for which a thread waits; the worker sends later ones."""
_TOO_OLD = timedelta(days=1)

logger = logging.getLogger(__name__)


def send_due(instance: Instance, may_continue: Callable[[], bool]) -> bool:
    """Purge the caches with due purges for some seconds; return whether there is more to do."""
    until = time.monotonic() + _RUN_SECONDS
    for cache in caches_of(instance):
        # The purges of a process that meets our lease are due when we look again.
        while _is_due(instance, cache):
            if not may_continue() or time.monotonic() > until:
                return True
            lease = take_lease(instance, cache.name)
            if lease is None or not _send(instance, cache, lease):
                break
    return False


def is_any_due(instance: Instance) -> bool:
    """Whether a purge is due."""
    return any(_is_due(instance, cache) for cache in caches_of(instance))


def next_due(instance: Instance) -> datetime | None:
    """Return the time of the next purge; None if none waits."""
    names = [cache.name for cache in caches_of(instance)]
    with instance.database.read() as connection:
        found: datetime | None = connection.execute(
            select(func.min(Purge.due_at)).where(Purge.cache.in_(names))
        ).scalar()
    return found


def _is_due(instance: Instance, cache: Cache) -> bool:
    due = select(Purge.id).where(Purge.cache == cache.name, Purge.due_at <= utcnow()).limit(1)
    with instance.database.read() as connection:
        return connection.execute(due).first() is not None


def _send(instance: Instance, cache: Cache, lease: Lease) -> bool:
    """Send the due purges of a cache as one; return whether that succeeds."""
    from masthead_cdn.calling import PurgeError

    now = utcnow()
    due = select(Purge.id, Purge.keys, Purge.created_at).where(
        Purge.cache == cache.name, Purge.due_at <= now
    )
    with instance.database.read() as connection:
        found = connection.execute(due.order_by(Purge.due_at, Purge.id).limit(_AT_ONCE)).all()
    keys: Sequence[str] = sorted({key for row in found for key in row.keys.split()})
    if any(row.created_at < now - _TOO_OLD for row in found) or ALL_ANSWERS in keys:
        keys = [ALL_ANSWERS]
    try:
        cache.purge(keys)
    except PurgeError as error:
        note_failure(instance, lease, error)
        return False
    note_success(instance, lease, delete(Purge).where(Purge.id.in_([row.id for row in found])))
    return True


class Sender:
    """The thread that sends purges after a commit; it ends when none is due soon."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self._lock = threading.Lock()
        self._wanted = threading.Event()
        self._thread: threading.Thread | None = None

    def wake(self) -> None:
        """Send due purges soon, after a commit in a thread of a server.

        In the main thread the worker has to send them: a command ends, and the process that starts
        a server forks others. SQLite doesn't survive a fork while a thread writes.
        """
        if threading.current_thread() is threading.main_thread():
            return
        with self._lock:
            self._wanted.set()
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="cdn", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while True:
            try:
                time.sleep(_MERGING)
                self._wanted.clear()
                send_due(self._instance, lambda: True)
                wait = self._wait()
            except Exception:
                # For example without a database; the worker tries again.
                logger.exception("Purges after a commit failed; the worker repeats them")
                wait = None
            if wait is not None:
                self._wanted.wait(wait)
            with self._lock:
                if wait is None and not self._wanted.is_set():
                    self._thread = None
                    return

    def _wait(self) -> float | None:
        """Return the seconds until the next purge is due; None if the worker has to send it."""
        due = next_due(self._instance)
        wait = (due - utcnow()).total_seconds() if due is not None else _LONGEST_WAIT
        # A purge that is due now has failed, or another process is sending it.
        return wait if 0 < wait < _LONGEST_WAIT else None
