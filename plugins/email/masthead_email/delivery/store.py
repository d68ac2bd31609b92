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
from masthead_email.outbox.marks import mark_file
from masthead_email.outbox.models import PAUSABLE
from masthead_email.results import Result
from masthead_email.settings import RETRY_DELAYS, WAIT_HOURS

_CLAIM_LEASE = timedelta(seconds=10)
"""The lease of a claimed delivery. A worker starts deliveries for five seconds at most, and a start
after the lease is refused if another sender has claimed the delivery."""

_RETRY_SETTLES = timedelta(minutes=1)
"""The time after a retry by staff in which no message is done; no statement takes as long."""


class SetBackError(Exception):
    """The database counts fewer hand-overs than before: another one has replaced it."""


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

    :param sending_lease: the maximum time from the mark as sending to the committed result.
    """

    def __init__(self, instance: Instance, sending_lease: timedelta) -> None:
        self._database = instance.database
        self._connection: Connection | None = None
        delays = [timedelta(seconds=seconds) for seconds in instance.settings[RETRY_DELAYS]]
        longest_wait = timedelta(hours=instance.settings[WAIT_HOURS])
        self._statements = Statements(self._database.dialect, delays, longest_wait)
        self._sending_lease = sending_lease
        self._mark_file = mark_file(instance)
        self._counted = self._mark_file.count
        """The highest number of hand-overs that the database has counted."""

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

    def claim(self, limit: int, *, only_urgent: bool = False) -> list[Claimed]:
        """Claim deliveries that are due, of the most urgent priority only.

        :param only_urgent: whether to leave newsletters and composed e-mails.
        """
        now = utcnow()
        lease = now + _CLAIM_LEASE
        found: list[Claimed] = []
        statements = self._statements
        candidates = statements.urgent_candidates if only_urgent else statements.candidates
        with self._open.begin():
            rows = self._open.execute(candidates, {"now": now}).all()
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

    def postpone(self, claimed: Sequence[tuple[Claimed, float]]) -> None:
        """Release claimed deliveries that aren't due before some seconds have passed."""
        if not claimed:
            return
        now = utcnow()
        rows = [
            {"delivery": each.id, "lease": each.lease, "until": now + timedelta(seconds=seconds)}
            for each, seconds in claimed
        ]
        with self._open.begin():
            self._open.execute(self._statements.postpone, rows)

    def close_finished(self) -> None:
        """Mark messages without open deliveries as done."""
        with self._open.begin():
            self._open.execute(self._statements.finish, {"settled": utcnow() - _RETRY_SETTLES})

    def commit_results(self, done: Sequence[Result], assignments: Sequence[Claimed]) -> set[int]:
        """Store results, and mark the assigned deliveries as sending, in one transaction.

        :returns: the ids of the assigned deliveries that may start: this sender still holds them,
            and their recipients are subscribed and not suppressed.
        :raises SetBackError: if the database is an earlier state of itself.
        """
        now = utcnow()
        sent = [result.delivery_id for result in done if result.outcome == results.SENT]
        others = [result for result in done if result.outcome != results.SENT]
        with self._open.begin():
            self.write_results(self._open, others)
            return self._mark_sent_and_sending(sent, assignments, now)

    def write_results(self, connection: Connection, done: Sequence[Result]) -> None:
        """Store results of deliveries that weren't sent, in the transaction of a connection."""
        now = utcnow()
        by_outcome: dict[str, list[Result]] = defaultdict(list)
        for result in done:
            by_outcome[result.outcome].append(result)
        for outcome, found in by_outcome.items():
            values = {"now": now, **self._statements.times(outcome, now)}
            rows = [
                {"delivery": each.delivery_id, "error": each.error, "failure": each.failure}
                | values
                for each in found
            ]
            connection.execute(self._statements.by_outcome[outcome], rows)

    def release(self, claimed: Sequence[Claimed]) -> None:
        """Release claimed deliveries that weren't started."""
        if not claimed:
            return
        with self._open.begin():
            for lease in {each.lease for each in claimed}:
                ids = self._statements.ids([each.id for each in claimed if each.lease == lease])
                values = {"now": utcnow(), "lease": lease, "ids": ids}
                self._open.execute(self._statements.release, values)

    def _mark_sent_and_sending(
        self, sent: Sequence[int], assignments: Sequence[Claimed], now: datetime
    ) -> set[int]:
        values: dict[str, Any] = {
            "now": now,
            "sent_ids": self._statements.ids(sent),
            "data_folder": self._mark_file.folder,
        }
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
            rows = self._open.execute(statement, values).all()
            marked = {row.id for row in rows}
            if rows and rows[0].counted is not None:
                self._record(rows[0].counted)
            if len(marked) < len(ids):
                values["ids"] = self._statements.ids([each for each in ids if each not in marked])
                self._open.execute(self._statements.skip, values)
                self._open.execute(self._statements.release, values)
            allowed |= marked
            sent = ()
        return allowed

    def _record(self, count: int) -> None:
        if count <= self._counted:
            raise SetBackError(
                f"the database counts {count} hand-overs of mail from this machine, and"
                f" {self._counted} before: a replica that lacked the last changes has replaced it"
            )
        self._counted = count
        self._mark_file.advance(count)

    def _run_outside_transaction(self, sql: str) -> None:
        """Run SQL that isn't allowed inside a transaction."""
        self._open.connection.cursor().execute(sql)
        self._open.rollback()

    @property
    def _open(self) -> Connection:
        assert self._connection is not None
        return self._connection
