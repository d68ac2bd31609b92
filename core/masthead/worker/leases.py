"""Leases: a worker's exclusive right to a chore, which expires unless it is renewed."""

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
    """The lease of one worker on one chore."""

    def __init__(self, holder: str, length: timedelta) -> None:
        self.holder = holder
        self._length = length
        self._until = time.monotonic() + length.total_seconds()

    def holds(self) -> bool:
        """Whether the lease is valid, so that no other worker can have the chore."""
        return time.monotonic() < self._until

    def renew(self, database: Database) -> None:
        """Renew the lease for its whole duration, unless another worker has the chore."""
        began = time.monotonic()
        with database.transaction() as session:
            mine = update(JobState).where(JobState.leased_by == self.holder)
            found = session.execute(mine.values(lease_until=utcnow() + self._length))
        kept = bool(getattr(found, "rowcount", 0))
        self._until = began + self._length.total_seconds() if kept else float("-inf")

    def is_stored(self, session: Session) -> bool:
        """Whether the row still holds this lease; locks the row until the transaction ends."""
        mine = select(JobState.name).where(JobState.leased_by == self.holder)
        return session.execute(mine.with_for_update()).one_or_none() is not None


def take_lease(database: Database, chore: Chore, length: timedelta) -> Lease | None:
    """Take the lease of a chore that is due; None if another worker has taken it."""
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
