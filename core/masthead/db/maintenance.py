"""Maintenance: a switch in the database that stops all writes of clients and jobs."""

from __future__ import annotations

import logging
import threading
import time
from contextlib import closing

from sqlalchemy import delete, event
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from masthead.db.engine import Database
from masthead.db.once import OnceMarker
from masthead.db.upsert import insert_missing

logger = logging.getLogger(__name__)

OBEYED_AFTER = 1.0
"""The seconds after which every process has noticed a change of the switch."""
_KIND, _NAME = "maintenance", "on"
_IS_ON = "SELECT 1 FROM core_seen WHERE kind = 'maintenance'"


class Maintenance:
    """The switch as a process knows it; it is read at most twice a second."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._is_on = False
        self._read_at = float("-inf")
        event.listen(database.engine, "engine_disposed", lambda _engine: self.forget())

    def forget(self) -> None:
        """Read the switch again when it is next asked for, because it has changed."""
        with self._lock:
            self._is_on, self._read_at = False, float("-inf")

    def is_on(self) -> bool:
        """Whether writes are to be refused; the last known state if the database is away."""
        with self._lock:
            if time.monotonic() - self._read_at >= OBEYED_AFTER / 2:
                self._read_at = time.monotonic()
                try:
                    self._is_on = self._read()
                except (SQLAlchemyError, self._database.driver_error) as error:
                    self._database.outage.suspect(error)
                    logger.debug("The switch of maintenance can't be read")
            return self._is_on

    def _read(self) -> bool:
        # The driver reads it, because it is no statement of the request that happens to ask: the
        # statements of a request don't depend on the time since the last one.
        connection = self._database.reader.raw_connection()
        try:
            with closing(connection.cursor()) as cursor:
                cursor.execute(_IS_ON)
                return cursor.fetchone() is not None
        except self._database.driver_error:
            connection.invalidate()
            raise
        finally:
            connection.close()


def switch_maintenance(session: Session, *, on: bool) -> None:
    """Turn maintenance on or off for all processes."""
    if on:
        insert_missing(session, OnceMarker, [{"kind": _KIND, "name": _NAME}])
    else:
        session.execute(delete(OnceMarker).where(OnceMarker.kind == _KIND))
