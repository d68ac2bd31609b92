"""The outbox as a sender keeps it: taking deliveries, marking them, noting what became of them.

Whoever takes a delivery moves ``next_try_at`` ahead, for as long as they may need. So that time
also says whose it is: where it is another one, somebody else has taken it over.
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
from masthead_email.outbox.models import PAUSABLE
from masthead_email.results import Result

_CLAIM_LEASE = timedelta(seconds=10)
"""How long a delivery that was taken stays so. A worker begins nothing for longer than five
seconds; what it would begin too late is refused where somebody else has it."""


@dataclass(frozen=True, slots=True)
class Claimed:
    """A delivery that nobody else will send until its lease ends."""

    id: int
    message_id: int
    address: str
    name: str | None
    subscriber_id: int | None
    values: Mapping[str, Any] | None
    lease: datetime
    pausable: bool


class DeliveryStore:
    """A sender's own connection to the database; use it in a ``with`` block.

    :param retry_delays: from each failed attempt to the next one; the attempt after the last delay
        is final.
    :param sending_lease: how long a letter can be on its way at most.
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
            # A power cut may then cost the last acknowledgements, but never the file.
            self._run_outside_transaction("PRAGMA synchronous=NORMAL")
        else:
            # Each statement leaves things as they may be found: what counts is to ask seldom.
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
        """Queue what somebody was sending who is silent now; returns how many that were."""
        with self._open.begin():
            return self._open.execute(self._statements.requeue_expired, {"now": utcnow()}).rowcount

    def claim(self, most: int) -> list[Claimed]:
        """Take deliveries that are due, of what is most urgent; none where nothing is."""
        now = utcnow()
        lease = now + _CLAIM_LEASE
        found: list[Claimed] = []
        with self._open.begin():
            rows = self._open.execute(self._statements.candidates, {"now": now}).all()
            for row in rows:
                if row.priority != rows[0].priority or len(found) >= most:
                    break
                known = {"now": now, "lease": lease, "message": row.id, "most": most - len(found)}
                claimed = self._open.execute(self._statements.claim, known)
                pausable = row.kind in PAUSABLE
                found += [Claimed(*(*each, lease, pausable)) for each in claimed]
        return found

    def close_finished(self) -> None:
        """Mark messages as done of which nothing is left to be decided."""
        with self._open.begin():
            self._open.execute(self._statements.finish, {"now": utcnow()})

    def commit_results(self, done: Sequence[Result], assignments: Sequence[Claimed]) -> set[int]:
        """Note what became of deliveries, and mark others as being sent, in one transaction.

        :returns: the ids of those that may be sent: nobody else has them, and who gets them is
            subscribed still and not suppressed.
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
        """Give deliveries back that weren't begun."""
        if not claimed:
            return
        with self._open.begin():
            for lease in {each.lease for each in claimed}:
                ids = self._statements.ids([each.id for each in claimed if each.lease == lease])
                known = {"now": utcnow(), "lease": lease, "ids": ids}
                self._open.execute(self._statements.release, known)

    def count_failed_try(self, claimed: Sequence[Claimed], error: str) -> None:
        """Count a try for deliveries that no connection could be opened for."""
        now = utcnow()
        retry_times = self._statements.retry_times(now)
        with self._open.begin():
            for each in claimed:
                known = {"now": now, "lease": each.lease, "delivery": each.id, "why": error}
                self._open.execute(self._statements.count_try, known | retry_times)

    def _mark_sent_and_sending(
        self, sent: Sequence[int], assignments: Sequence[Claimed], now: datetime
    ) -> set[int]:
        known: dict[str, Any] = {"now": now, "sent_ids": self._statements.ids(sent)}
        if not assignments or not self._statements.both:
            if sent:
                self._open.execute(self._statements.sent, known)
            sent = ()
        allowed: set[int] = set()
        for lease in {each.lease for each in assignments}:
            mine = [each.id for each in assignments if each.lease == lease]
            known |= {"lease": lease, "ids": self._statements.ids(mine)}
            known["until"] = now + self._sending_lease
            statement = self._statements.sent_and_mark if sent else self._statements.mark
            marked = set(self._open.execute(statement, known).scalars())
            if len(marked) < len(mine):
                known["ids"] = self._statements.ids([each for each in mine if each not in marked])
                self._open.execute(self._statements.skip, known)
                self._open.execute(self._statements.release, known)
            allowed |= marked
            sent = ()
        return allowed

    def _write_results(self, outcome: str, found: Sequence[Result], now: datetime) -> None:
        statement = self._statements.by_outcome[outcome]
        known = {"now": now}
        if outcome == results.RETRIED:
            known |= self._statements.retry_times(now)
        rows = [{"delivery": each.delivery_id, "why": each.error} | known for each in found]
        self._open.execute(statement, rows)
        if condemned := [each for each in found if each.suppress]:
            reasons = [{"now": now, "delivery": c.delivery_id, "why": c.error} for c in condemned]
            self._open.execute(self._statements.suppress, reasons)

    def _run_outside_transaction(self, sql: str) -> None:
        """Run what no transaction may stand around."""
        self._open.connection.cursor().execute(sql)
        self._open.rollback()

    @property
    def _open(self) -> Connection:
        assert self._connection is not None
        return self._connection
