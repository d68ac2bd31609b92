"""Leases: a worker's exclusive right to a chore, which expires unless it is renewed."""

from __future__ import annotations

import time
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import bindparam, select, update
from sqlalchemy.orm import Session

from masthead.db import Database, utcnow
from masthead.worker.holders import new_holder
from masthead.worker.jobs import Chore
from masthead.worker.models import JobState
from masthead.worker.schedule import take

_TABLE: Any = JobState.__table__
# Statements that are built once, because a worker without work runs little else.
_TAKE = (
    update(_TABLE)
    .where(_TABLE.c.name == bindparam("job"))
    .values(leased_by=bindparam("holder"), lease_until=bindparam("until"))
)
_RENEW = (
    update(_TABLE)
    .where(_TABLE.c.leased_by == bindparam("holder"))
    .values(lease_until=bindparam("until"))
)
_DUE = select(_TABLE.c.due_at).where(_TABLE.c.leased_by == bindparam("holder")).with_for_update()


class Lease:
    """The lease of one worker on one chore.

    :param due_at: the time at which the chore was due.
    """

    def __init__(self, holder: str, length: timedelta, due_at: datetime) -> None:
        self.holder = holder
        self.due_at = due_at
        self._length = length
        self._until = time.monotonic() + length.total_seconds()

    def holds(self) -> bool:
        """Whether the lease is valid, so that no other worker can have the chore."""
        return time.monotonic() < self._until

    def renew(self, database: Database) -> None:
        """Renew the lease for its whole duration, unless another worker has the chore."""
        began = time.monotonic()
        with database.transaction() as session:
            until = utcnow() + self._length
            found = session.execute(_RENEW, {"holder": self.holder, "until": until})
        kept = bool(getattr(found, "rowcount", 0))
        self._until = began + self._length.total_seconds() if kept else float("-inf")

    def stored_due(self, session: Session) -> datetime | None:
        """Return the time at which the chore is due, which differs if a run has been asked for.

        This locks the row until the transaction ends.

        :returns: None if the row doesn't hold this lease any more.
        """
        due: datetime | None = session.execute(_DUE, {"holder": self.holder}).scalar_one_or_none()
        return due


def take_lease(database: Database, chore: Chore, length: timedelta) -> Lease | None:
    """Take the lease of a chore that is due; None if another worker has taken it."""
    holder = new_holder()
    with database.transaction() as session:
        state = take(session, chore, length)
        if state is None:
            return None
        lease = Lease(holder, length, state.due_at)
        until = utcnow() + length
        session.execute(_TAKE, {"job": chore.name, "holder": holder, "until": until})
    return lease
