"""Recording the changes of a transaction in the log, and those that the passing of time makes."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, delete, func, insert, select, update
from sqlalchemy.orm import Session

from masthead.changes.models import THE_LOG, Change, ChangeLog
from masthead.content.contenttype import content_types_of
from masthead.content.public_changes import (
    CHANGED,
    DueItem,
    ItemChange,
    ItemChangeName,
    PublicChangeName,
    due_items,
    has_changes,
    item_changes,
)
from masthead.db import utcnow
from masthead.db.upsert import insert_into
from masthead.instance import instance_of

AT_ONCE = 500
"""The number of scheduled items per transaction; on SQLite, other writers wait for its end."""
_BATCH = 500
"""Rows deleted in one transaction."""


def record_changes(session: Session) -> None:
    """Record the changes of a transaction that is about to commit."""
    if not has_changes(session):
        return
    now = utcnow()
    log = _lock(session, now)
    # The job records the items whose time is later than this one. If the clock was set back, it has
    # to look again for items that were scheduled since.
    until = min(log.until, now)
    rows = [_row(each, now) for each in item_changes(session, until)]
    _append(session, log, rows, now, until=until)


def record_due(session: Session) -> bool:
    """Record the items that appeared or vanished by themselves; return whether more wait."""
    now = utcnow()
    log = _lock(session, now)
    due = due_items(session.connection(), content_types_of(instance_of(session)), log.until, now)
    more = len(due) > AT_ONCE
    reached = due[AT_ONCE - 1].at if more else now
    due = [each for each in due if each.at <= reached]
    newest = _newest_changes(session, due)
    rows = [
        {
            "at": each.at,
            "change": ItemChangeName.CHANGED,
            "public_change": each.change,
            "content_type": each.content_type,
            "item_id": each.item_id,
            "slug": each.slug,
            "former_slug": None,
        }
        for each in due
        # Before the clock was set back, the job may have recorded it.
        if newest.get((each.content_type, each.item_id)) != (each.at, each.change)
    ]
    _append(session, log, rows, now, until=max(log.until, reached))
    return more


def _newest_changes(
    session: Session, due: Sequence[DueItem]
) -> dict[tuple[str, int], tuple[datetime, str | None]]:
    """Return the time and the kind of the newest change of each item since it was due."""
    if not due:
        return {}
    columns = Change.content_type, Change.item_id, Change.at, Change.public_change
    recorded = select(*columns).where(
        Change.recorded_at >= due[0].at, Change.item_id.in_({each.item_id for each in due})
    )
    rows = session.execute(recorded.order_by(Change.number))
    return {(kind, item_id): (at, change) for kind, item_id, at, change in rows}


def begin_again(session: Session) -> None:
    """Make all cursors invalid, because the database isn't the one that they came from."""
    session.execute(delete(Change))
    session.execute(delete(ChangeLog))


def deleting(days: int) -> Callable[[Session], bool]:
    """Return the work of a job that deletes old changes, from the first one on without gaps.

    :param days: the age at which a change is deleted.
    """

    def run(session: Session) -> bool:
        old = Change.recorded_at < utcnow() - timedelta(days=days)
        newest = session.scalar(select(func.max(Change.number)).where(old))
        if newest is None:
            return False
        numbers = select(Change.number).where(Change.number <= newest)
        found = list(session.scalars(numbers.order_by(Change.number).limit(_BATCH)))
        session.execute(
            delete(Change)
            .where(Change.number.in_(found))
            .execution_options(synchronize_session=False)
        )
        return len(found) == _BATCH

    return run


def _lock(session: Session, now: datetime) -> Row[int, int, datetime]:
    """Lock the log for the rest of the transaction, and return its last numbers and ``until``."""
    locked = (
        update(ChangeLog)
        .where(ChangeLog.id == THE_LOG)
        .values(last=ChangeLog.last)
        .returning(ChangeLog.last, ChangeLog.last_public, ChangeLog.until)
        .execution_options(synchronize_session=False)
    )
    row = session.execute(locked).one_or_none()
    if row is None:
        epochs = {"epoch": secrets.token_hex(8), "public_epoch": secrets.token_hex(8)}
        first = {"id": THE_LOG, **epochs, "last": 0, "last_public": 0, "until": now}
        session.execute(insert_into(session, ChangeLog).values(first).on_conflict_do_nothing())
        row = session.execute(locked).one()
    return row


def _append(
    session: Session,
    log: Row[int, int, datetime],
    rows: Sequence[dict[str, Any]],
    now: datetime,
    **changed: Any,
) -> None:
    """Number rows and insert them, and store where the log ends."""
    last_public = log.last_public
    for number, row in enumerate(rows, log.last + 1):
        is_public = row["public_change"] is not None
        last_public += is_public
        numbers = {"number": number, "public_number": last_public if is_public else None}
        row.update(numbers, recorded_at=now)
    if rows:
        session.execute(insert(Change), rows)
    session.execute(
        update(ChangeLog)
        .where(ChangeLog.id == THE_LOG)
        .values(last=log.last + len(rows), last_public=last_public, **changed)
        .execution_options(synchronize_session=False)
    )


def _row(item: ItemChange, now: datetime) -> dict[str, Any]:
    seen = item.public
    moved = seen is not None and seen.change == CHANGED and seen.former_slug is not None
    return {
        "at": now,
        "change": item.change,
        "public_change": None if seen is None else PublicChangeName.MOVED if moved else seen.change,
        "content_type": item.content_type,
        "item_id": item.item_id,
        "slug": item.slug if seen is None else seen.slug,
        "former_slug": None if seen is None else seen.former_slug,
    }
