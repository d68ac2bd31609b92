"""What workers know of each other: who lives, which job is due, who does it."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.orm import Mapped, mapped_column

from masthead.db import KEY, UTCDateTime
from masthead.db.base import Base
from masthead.db.content_version import PRIVATE
from masthead.db.exportable import NOT_EXPORTED


class JobState(Base):
    """When a job is due, who has it, and how it went."""

    __tablename__ = "core_job"
    __table_args__ = {"info": PRIVATE | NOT_EXPORTED}

    name: Mapped[str] = mapped_column(KEY, primary_key=True)
    due_at: Mapped[datetime] = mapped_column(UTCDateTime())
    leased_by: Mapped[str | None]
    """Who does the chore now; a new text each time that it is taken."""
    lease_until: Mapped[datetime | None] = mapped_column(UTCDateTime())
    runs: Mapped[int] = mapped_column(default=0)
    """How often it was done without failing."""
    last_run_at: Mapped[datetime | None] = mapped_column(UTCDateTime())
    failures: Mapped[int] = mapped_column(default=0)
    """How often it has failed since it was last done."""
    last_error: Mapped[str | None]


class WorkerState(Base):
    """A worker that was seen not long ago."""

    __tablename__ = "core_worker"
    __table_args__ = {"info": PRIVATE | NOT_EXPORTED}

    id: Mapped[str] = mapped_column(primary_key=True)
    host: Mapped[str]
    pid: Mapped[int]
    seen_at: Mapped[datetime] = mapped_column(UTCDateTime())
