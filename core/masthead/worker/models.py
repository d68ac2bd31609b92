"""The shared state of workers: heartbeats, due jobs and leases."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.orm import Mapped, mapped_column

from masthead.db import KEY, UTCDateTime
from masthead.db.base import Base
from masthead.db.changed_tables import PRIVATE
from masthead.db.exportable import NOT_EXPORTED


class JobState(Base):
    """The due time, lease and last result of a job."""

    __tablename__ = "core_job"
    __table_args__ = {"info": PRIVATE | NOT_EXPORTED}

    name: Mapped[str] = mapped_column(KEY, primary_key=True)
    due_at: Mapped[datetime] = mapped_column(UTCDateTime())
    leased_by: Mapped[str | None]
    """A token of the worker that runs the chore, new for each lease."""
    lease_until: Mapped[datetime | None] = mapped_column(UTCDateTime())
    runs: Mapped[int] = mapped_column(default=0)
    """The number of successful runs."""
    last_run_at: Mapped[datetime | None] = mapped_column(UTCDateTime())
    failures: Mapped[int] = mapped_column(default=0)
    """The number of failures since the last successful run."""
    last_error: Mapped[str | None]


class WorkerState(Base):
    """The last heartbeat of a worker."""

    __tablename__ = "core_worker"
    __table_args__ = {"info": PRIVATE | NOT_EXPORTED}

    id: Mapped[str] = mapped_column(primary_key=True)
    host: Mapped[str]
    pid: Mapped[int]
    seen_at: Mapped[datetime] = mapped_column(UTCDateTime())
