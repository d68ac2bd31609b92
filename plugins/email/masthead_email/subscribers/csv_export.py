"""The export of subscribers as CSV."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead import Timestamp
from masthead_email.subscribers.models import Subscriber
from masthead_email.subscribers.resource import SUBSCRIBERS

HEADER = (
    "email",
    "name",
    "status",
    "source",
    "createdAt",
    "unsubscribedAt",
    "subscribedAt",
    "subscribedIp",
    "confirmedAt",
    "confirmedIp",
    "unsubscribeKind",
    "unsubscribeReason",
    "language",
    "pausedUntil",
    "trackingRefused",
    "engagedAt",
)
_BATCH = 1_000
_TIME = Timestamp()


def export_rows(session: Session, status: str | None = None) -> Iterator[list[str]]:
    """Yield the cells of each subscriber, the oldest first.

    They are read in batches, as there may be a million.

    :param status: the status of the subscribers; None for all.
    """
    columns = [SUBSCRIBERS.columns[name] for name in HEADER]
    chosen = select(*columns).order_by(Subscriber.id).execution_options(yield_per=_BATCH)
    if status is not None:
        chosen = chosen.where(Subscriber.status == status)
    for row in session.execute(chosen):
        yield [_cell(value) for value in row]


def _cell(value: str | bool | datetime | None) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(_TIME.dump(value)) if isinstance(value, datetime) else value or ""
