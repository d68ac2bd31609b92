"""Events that calendars have to call off: remembered for a time, by their ids alone."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import Connection, delete, insert, select
from sqlalchemy.orm import Session

from masthead import PublicReader, utcnow
from masthead_events.models import Withdrawal

KEPT = timedelta(days=90)
"""How long an event that is withdrawn is called off in the calendar."""
MOST = 500


def remember(session: Session, event_ids: Sequence[int]) -> None:
    """Remember that the public sees some events no longer."""
    now = utcnow()
    session.execute(delete(Withdrawal).where(Withdrawal.event_id.in_(event_ids)))
    session.execute(insert(Withdrawal), [{"event_id": each, "at": now} for each in event_ids])


def withdrawn(connection: Connection, outlet: PublicReader) -> list[Withdrawal]:
    """The latest withdrawals of events that the public doesn't see again, by their ids.

    :param outlet: what the public sees of events.
    """
    latest = (
        select(Withdrawal.event_id, Withdrawal.at)
        .where(~outlet.sees(Withdrawal.event_id))
        .order_by(Withdrawal.at.desc(), Withdrawal.event_id.desc())
        .limit(MOST)
    )
    rows = connection.execute(latest).all()
    found = [Withdrawal(event_id=row.event_id, at=row.at) for row in rows]
    return sorted(found, key=lambda withdrawal: withdrawal.event_id)


def forget_old(session: Session) -> None:
    """Forget the withdrawals that calendars had time enough to hear of."""
    session.execute(delete(Withdrawal).where(Withdrawal.at < utcnow() - KEPT))
