"""What a SQLite database needs now and then, so that no request has to do it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import text
from sqlalchemy.orm import Session

from masthead.worker.jobs import Chore, Job

if TYPE_CHECKING:
    from masthead.instance import Instance


def sqlite_jobs(instance: Instance) -> list[Job | Chore]:
    """The jobs of an instance on SQLite; none for PostgreSQL, which looks after itself."""
    if instance.database.dialect != "sqlite":
        return []
    return [
        Chore("sqlite.checkpoint", timedelta(seconds=30), checkpoint),
        Job("sqlite.optimize", timedelta(days=1), optimize),
    ]


def checkpoint(instance: Instance, _may_go_on: Callable[[], bool]) -> None:
    """Copy the write-ahead log into the database file; waits for nobody and stops nobody."""
    # Inside a transaction SQLite refuses, and SQLAlchemy's own connections begin one.
    connection = instance.database.engine.raw_connection()
    try:
        connection.cursor().execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
    finally:
        connection.close()


def optimize(session: Session) -> None:
    """Let SQLite count afresh what its query planner goes by, where that has changed much."""
    # The bits: do it, and look at all tables, not only at those that this connection has read.
    session.execute(text("PRAGMA optimize=0x10002"))
