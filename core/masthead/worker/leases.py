"""Leases: a worker's hold on a chore, which others take over once it isn't renewed any more."""

from __future__ import annotations

import os
import secrets
import socket
import time
from datetime import timedelta

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from masthead.db import Database, utcnow
from masthead.worker.jobs import Chore
from masthead.worker.models import JobState
from masthead.worker.schedule import take


class Lease:
    """One worker's hold on one chore."""

    def __init__(self, holder: str, length: timedelta) -> None:
        self.holder = holder
        self._length = length
        self._until = time.monotonic() + length.total_seconds()

    def holds(self) -> bool:
        """Whether nobody else can have taken the chore."""
        return time.monotonic() < self._until

    def renew(self, database: Database) -> None:
        """Make the lease last its whole length from now on, unless another worker has the chore."""
        began = time.monotonic()
        with database.transaction() as session:
            mine = update(JobState).where(JobState.leased_by == self.holder)
            found = session.execute(mine.values(lease_until=utcnow() + self._length))
        kept = bool(getattr(found, "rowcount", 0))
        self._until = began + self._length.total_seconds() if kept else float("-inf")

    def is_stored(self, session: Session) -> bool:
        """Whether the chore is still this worker's; it stays so until the transaction ends."""
        mine = select(JobState.name).where(JobState.leased_by == self.holder)
        return session.execute(mine.with_for_update()).one_or_none() is not None


def take_lease(database: Database, chore: Chore, length: timedelta) -> Lease | None:
    """Take a chore that is due; None where another worker was quicker."""
    lease = Lease(f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(8)}", length)
    with database.transaction() as session:
        if take(session, chore, length) is None:
            return None
        session.execute(
            update(JobState)
            .where(JobState.name == chore.name)
            .values(leased_by=lease.holder, lease_until=utcnow() + length)
        )
    return lease
