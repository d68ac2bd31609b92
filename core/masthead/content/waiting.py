"""Waiting edits: approved edits of a public item that go live later.

Staged edits go live at their ``scheduledPublishAt``. If the public sees the item at the approval,
and that time is still to come, the edits stay staged, and the public sees the live copy meanwhile.
Such an item is approved and has staged edits.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Index, Table, text

from masthead.approval.declaration import APPROVED
from masthead.content.times import SCHEDULE
from masthead.content.visibility import is_readable
from masthead.schemas.field_types import Timestamp

WAITING = text("approval_status = 'approved' AND staged IS NOT NULL")
"""The condition that an item has waiting edits, as the index has it."""

_TIME = Timestamp()


def index_waiting(table: Table) -> None:
    """Add an index of the items with waiting edits."""
    Index(f"ix_{table.name}_waiting", table.c.id, sqlite_where=WAITING, postgresql_where=WAITING)


def is_waiting(item: Any) -> bool:
    """Whether an item has waiting edits."""
    return item.staged is not None and item.approval_status == APPROVED


def has_to_wait(item: Any, now: datetime) -> bool:
    """Whether an approval of an item's staged edits leaves them staged until their time."""
    return is_readable(item, now) and not _has_come(item, now)


def is_due(item: Any, now: datetime) -> bool:
    """Whether an item has waiting edits whose time has come."""
    return is_waiting(item) and _has_come(item, now)


def _has_come(item: Any, now: datetime) -> bool:
    time = _staged_time(item)
    return time is None or time <= now


def _staged_time(item: Any) -> datetime | None:
    stored = item.staged.get(SCHEDULE)
    return None if stored is None else _TIME.restore(stored)
