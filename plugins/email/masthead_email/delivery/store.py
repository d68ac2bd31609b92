"""The delivery store: a sender claims deliveries, marks them as sending and commits results.

A sender that claims a delivery sets its ``next_try_at`` to the end of a lease. The time also
identifies the owner: if it has changed, another sender has claimed the delivery.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import TracebackType
from typing import Any, Self

from sqlalchemy import Connection

from masthead import Instance, utcnow
from masthead_email import results
from masthead_email.delivery.statements import Statements
from masthead_email.failures import Failure
from masthead_email.outbox.models import PAUSABLE
from masthead_email.results import Result

_CLAIM_LEASE = timedelta(seconds=10)
"""The lease of a claimed delivery. A worker starts deliveries for five seconds at most, and a start
after the lease is refused if another sender has claimed the delivery."""

_RETRY_SETTLES = timedelta(minutes=1)
"""The time after a retry by staff in which no message is done; no statement takes as long."""


@dataclass(frozen=True, slots=True)
class Claimed:
    """A delivery that no other sender starts before its lease ends."""

    id: int
    message_id: int
    address: str
    name: str | None
    subscriber_id: int | None
    values: Mapping[str, Any] | None
    lease: datetime
    pausable: bool


class DeliveryStore:
    """A sender's connection to the database; a context manager.

    :param retry_delays: from each failed attempt to the next one; the attempt after the last delay
        is final.
    :param sending_lease: the maximum time from the mark as sending to the committed result.
    """

    def __init__(
        self, instance: Instance, retry_delays: Sequence[timedelta], sending_lease: timedelta
    ) -> None:
        self._database = instance.database
        self._connection: Connection | None = None
        self._statements = Statements(self._database.dialect, retry_delays)
        self._sending_lease = sending_lease

    def __enter__(self) -> Self:
        self._connection = self._database.engine.connect()
        if self._database.dialect == "sqlite":
            # A power failure may lose the last results, but never corrupts the database.
            self._run_outside_transaction("PRAGMA synchronous=NORMAL")
        else:
            # Each statement leaves a valid state, so autocommit saves round trips.
            self._connection.execution_options(isolation_level="AUTOCOMMIT")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._connection is not None:
            if self._database.dialect == "sqlite" and not self._connection.invalidated:
                self._run_outside_transaction("PRAGMA synchronous=FULL")
            self._connection.close()

    def requeue_expired(self) -> int:
        """Queue the deliveries of senders whose lease has expired; return their number."""
        with self._open.begin():
            return self._open.execute(self._statements.requeue_expired, {"now": utcnow()}).rowcount

    def claim(self, limit: int) -> list[Claimed]:
        """Claim deliveries that are due, of the most urgent priority only."""
        now = utcnow()
        lease = now + _CLAIM_LEASE
        found: list[Claimed] = []
        with self._open.begin():
            rows = self._open.execute(self._statements.candidates, {"now": now}).all()
            for row in rows:
                if row.priority != rows[0].priority or len(found) >= limit:
                    break
                values = {
                    "now": now,
                    "lease": lease,
                    "message": row.id,
                    "limit": limit - len(found),
                }
                claimed = self._open.execute(self._statements.claim, values)
                pausable = row.kind in PAUSABLE
                found += [Claimed(*(*each, lease, pausable)) for each in claimed]
        return found

    def close_finished(self) -> None:
        """Mark messages without open deliveries as done."""
        with self._open.begin():
            self._open.execute(self._statements.finish, {"settled": utcnow() - _RETRY_SETTLES})

    def commit_results(self, done: Sequence[Result], assignments: Sequence[Claimed]) -> set[int]:
        """Store results, and mark the assigned deliveries as sending, in one transaction.

        :returns: the ids of the assigned deliveries that may start: this sender still holds them,
            and their recipients are subscribed and not suppressed.
        """
        now = utcnow()
        by_outcome: dict[str, list[Result]] = defaultdict(list)
        for result in done:
            by_outcome[result.outcome].append(result)
        sent = [result.delivery_id for result in by_outcome.pop(results.SENT, ())]
        with self._open.begin():
            for outcome, found in by_outcome.items():
                self._write_results(outcome, found, now)
            return self._mark_sent_and_sending(sent, assignments, now)

    def release(self, claimed: Sequence[Claimed]) -> None:
        """Release claimed deliveries that weren't started."""
        if not claimed:
            return
        with self._open.begin():
            for lease in {each.lease for each in claimed}:
                ids = self._statements.ids([each.id for each in claimed if each.lease == lease])
                values = {"now": utcnow(), "lease": lease, "ids": ids}
                self._open.execute(self._statements.release, values)

    def count_failed_try(self, claimed: Sequence[Claimed], error: str) -> None:
        """Count a failed attempt for deliveries without a connection."""
        if not claimed:
            return
        now = utcnow()
        claims = [(each.id, each.lease) for each in claimed]
        values = {"now": now, "claims": claims, "error": error, "failure": Failure.TRANSIENT}
        with self._open.begin():
            self._open.execute(
                self._statements.count_tries, values | self._statements.retry_times(now)
            )

    def _mark_sent_and_sending(
        self, sent: Sequence[int], assignments: Sequence[Claimed], now: datetime
    ) -> set[int]:
        values: dict[str, Any] = {"now": now, "sent_ids": self._statements.ids(sent)}
        if not assignments or not self._statements.has_combined:
            if sent:
                self._open.execute(self._statements.sent, values)
            sent = ()
        allowed: set[int] = set()
        for lease in {each.lease for each in assignments}:
            ids = [each.id for each in assignments if each.lease == lease]
            values |= {"lease": lease, "ids": self._statements.ids(ids)}
            values["until"] = now + self._sending_lease
            statement = self._statements.sent_and_mark if sent else self._statements.mark
            marked = set(self._open.execute(statement, values).scalars())
            if len(marked) < len(ids):
                values["ids"] = self._statements.ids([each for each in ids if each not in marked])
                self._open.execute(self._statements.skip, values)
                self._open.execute(self._statements.release, values)
            allowed |= marked
            sent = ()
        return allowed

    def _write_results(self, outcome: str, found: Sequence[Result], now: datetime) -> None:
        statement = self._statements.by_outcome[outcome]
        values = {"now": now}
        if outcome == results.RETRIED:
            values |= self._statements.retry_times(now)
        rows = [
            {"delivery": each.delivery_id, "error": each.error, "failure": each.failure} | values
            for each in found
        ]
        self._open.execute(statement, rows)
        gone = Failure.RECIPIENT_GONE
        if suppressed := [s for s in found if outcome == results.FAILED and s.failure is gone]:
            reasons = [
                {"now": now, "delivery": s.delivery_id, "error": s.error} for s in suppressed
            ]
            self._open.execute(self._statements.suppress, reasons)

    def _run_outside_transaction(self, sql: str) -> None:
        """Run SQL that isn't allowed inside a transaction."""
        self._open.connection.cursor().execute(sql)
        self._open.rollback()

    @property
    def _open(self) -> Connection:
        assert self._connection is not None
        return self._connection
