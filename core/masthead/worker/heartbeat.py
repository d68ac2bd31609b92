"""The heartbeat of workers, and the check that one is alive."""

from __future__ import annotations

import logging
import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import ColumnElement, Connection, delete, or_, select, text
from sqlalchemy.exc import SQLAlchemyError

from masthead.checking.writing import database_writing_trouble
from masthead.db import Database, utcnow
from masthead.db.outage import one_line
from masthead.db.upsert import upsert
from masthead.instance import Trouble
from masthead.worker.leases import Lease
from masthead.worker.models import WorkerState
from masthead.worker.trouble_log import TroubleLog

if TYPE_CHECKING:
    from masthead.instance import Instance

logger = logging.getLogger(__name__)

_MAX_INTERVAL = 10.0
_DEAD_AFTER = timedelta(seconds=60)
"""A worker without a heartbeat for so long counts as dead."""
_FORGET_AFTER = timedelta(minutes=10)
"""After this time without a heartbeat the row of a worker is deleted."""
_SEE_CLOCK, _SEE_WRITES = "see the check clock", "see the check writes"


class Heartbeat:
    """Records in a thread of its own that a worker is alive, and renews its lease.

    :param length: the duration of the leases that it renews.
    """

    def __init__(self, database: Database, worker_id: str, length: timedelta) -> None:
        self._database = database
        self._worker_id = worker_id
        self._interval = min(_MAX_INTERVAL, length.total_seconds() / 3)
        self._ended = threading.Event()
        self._lease: Lease | None = None
        self._log = TroubleLog(
            database,
            "The worker's heartbeat can't be stored: %s",
            "The worker's heartbeat is stored again",
        )

    @contextmanager
    def beating(self, note: Callable[[], None] = lambda: None) -> Iterator[None]:
        """Send heartbeats inside the block, and delete the worker's row at its end.

        :param note: called after each heartbeat, also one that the database didn't take.
        """
        thread = threading.Thread(target=self._run, args=(note,), name="heartbeat", daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._ended.set()
            thread.join()
            with self._logging_errors():
                _leave(self._database, self._worker_id)

    @contextmanager
    def keeping(self, lease: Lease) -> Iterator[None]:
        """Renew the lease inside the block."""
        self._lease = lease
        try:
            yield
        finally:
            self._lease = None

    def _run(self, note: Callable[[], None]) -> None:
        ended = False
        while not ended:
            with self._logging_errors():
                beat(self._database, self._worker_id)
                lease = self._lease
                if lease is not None:
                    lease.renew(self._database)
            note()
            ended = self._ended.wait(self._interval)

    @contextmanager
    def _logging_errors(self) -> Iterator[None]:
        try:
            yield
            self._log.note("")
        except SQLAlchemyError as error:
            self._log.note(one_line(error), error)
        # Plugins have hooks in every transaction; their errors must not stop the heartbeat.
        except Exception:
            logger.exception("The worker's heartbeat failed")


def beat(database: Database, worker_id: str) -> None:
    """Record the heartbeat of a worker on this machine, and delete the rows of dead workers."""
    now = utcnow()
    seen = WorkerState.seen_at
    state = {"host": socket.gethostname(), "pid": os.getpid(), "seen_at": now}
    with database.transaction() as session:
        upsert(session, WorkerState, {"id": worker_id, **state}, state)
        # A live worker with a wrong clock inserts its row again with the next heartbeat.
        session.execute(
            delete(WorkerState).where(or_(seen < now - _FORGET_AFTER, seen > now + _FORGET_AFTER))
        )


def is_alive(now: datetime | None = None) -> ColumnElement[bool]:
    """Return the condition that a worker had a heartbeat in the last minute.

    :param now: the time; by default that of this machine.
    """
    now = now or utcnow()
    return WorkerState.seen_at.between(now - _DEAD_AFTER, now + _DEAD_AFTER)


def worker_trouble(instance: Instance) -> str | None:
    """Return a message if no worker had a heartbeat in the last minute, with the cause."""
    with instance.database.read() as connection:
        if _has_live_worker(connection, utcnow()):
            return None
        if instance.database.dialect == "postgresql":
            theirs = connection.execute(text("SELECT clock_timestamp()")).scalar_one()
            if _has_live_worker(connection, theirs):
                return Trouble("one was seen, but the clock of this machine is wrong", _SEE_CLOCK)
    if reason := database_writing_trouble(instance):
        return Trouble(f"whether one runs isn't known, because {reason}", _SEE_WRITES)
    return "none was seen in the last minute; masthead worker starts one"


def _has_live_worker(connection: Connection, now: datetime) -> bool:
    alive = select(WorkerState.id).where(is_alive(now)).limit(1)
    return connection.execute(alive).first() is not None


def _leave(database: Database, worker_id: str) -> None:
    with database.transaction() as session:
        session.execute(delete(WorkerState).where(WorkerState.id == worker_id))
