"""Events that the calendar shows as cancelled, because the public no longer sees them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import Connection, delete, insert, select
from sqlalchemy.orm import Session

from masthead import PublicReader, utcnow
from masthead_events.models import Cancellation

RETENTION = timedelta(days=90)
"""How long the calendar shows an event as cancelled."""
MAX_CANCELLATIONS = 500


def record_cancellations(session: Session, event_ids: Sequence[int]) -> None:
    """Record that the public no longer sees some events."""
    now = utcnow()
    session.execute(delete(Cancellation).where(Cancellation.event_id.in_(event_ids)))
    session.execute(insert(Cancellation), [{"event_id": each, "at": now} for each in event_ids])


def latest_cancellations(connection: Connection, reader: PublicReader) -> list[Cancellation]:
    """Return the latest cancellations in the order of their events' ids.

    Events that the public sees again are left out.

    :param reader: the reader of the events that the public sees.
    """
    latest = (
        select(Cancellation.event_id, Cancellation.at)
        .where(~reader.is_visible(Cancellation.event_id))
        .order_by(Cancellation.at.desc(), Cancellation.event_id.desc())
        .limit(MAX_CANCELLATIONS)
    )
    rows = connection.execute(latest).all()
    found = [Cancellation(event_id=row.event_id, at=row.at) for row in rows]
    return sorted(found, key=lambda cancellation: cancellation.event_id)


def delete_old(session: Session) -> None:
    """Delete the cancellations that are older than the retention."""
    session.execute(delete(Cancellation).where(Cancellation.at < utcnow() - RETENTION))
