"""Maintenance of SQLite databases in the background instead of in requests."""

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
    """Return the jobs for SQLite; none for PostgreSQL, which needs no maintenance from us."""
    if instance.database.dialect != "sqlite":
        return []
    return [
        Chore("sqlite.checkpoint", timedelta(seconds=30), checkpoint),
        Job("sqlite.optimize", timedelta(days=1), optimize),
    ]


def checkpoint(instance: Instance, _may_go_on: Callable[[], bool]) -> None:
    """Copy the write-ahead log into the database file, without waiting or blocking."""
    # SQLite refuses it inside a transaction, which SQLAlchemy's own connections begin.
    connection = instance.database.engine.raw_connection()
    try:
        connection.cursor().execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
    finally:
        connection.close()


def optimize(session: Session) -> None:
    """Let SQLite update the statistics of its query planner, where tables changed a lot."""
    # The bits: run ANALYZE, and for all tables, not only for those that this connection has read.
    session.execute(text("PRAGMA optimize=0x10002"))
