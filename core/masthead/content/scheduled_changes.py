"""The changes of a content type's items that happen by themselves, for the schedule of staff."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Table, Text, and_, cast, not_, or_, true

from masthead.approval.declaration import APPROVED, ScheduledChange
from masthead.content.times import SCHEDULE, UNPUBLISH
from masthead.content.visibility import earlier, seen_until
from masthead.db import UTCDateTime

_APPEARS, _VANISHES, _EDITED = "published", "withdrawn", "edited"


def changes_of(table: Table, expires: str = "") -> tuple[ScheduledChange, ...]:
    """Return the changes: of the live copy, and of the staged edits if their times differ.

    :param expires: the field with an own time at which items vanish; blank for none.
    """
    columns = table.c
    published = columns.published == true()
    since, until = columns.scheduled_publish_at, seen_until(table)
    goes_live, ends = _staged(table, SCHEDULE), _staged(table, UNPUBLISH)
    if expires:
        ends = earlier(ends, _staged(table, expires))
    has_edits = columns.staged.is_not(None)
    waits = and_(published, has_edits, columns.approval_status == APPROVED)
    # A waiting edit that goes live before brings its own time.
    replaced = and_(waits, or_(goes_live.is_(None), goes_live <= until))
    return (
        ScheduledChange(_APPEARS, since, and_(published, _before(since, until))),
        ScheduledChange(
            _VANISHES, until, and_(published, _before(since, until), not_(_is_true(replaced)))
        ),
        ScheduledChange(_EDITED, goes_live, waits, (has_edits, _differs(goes_live, since))),
        ScheduledChange(
            _VANISHES,
            ends,
            and_(waits, _before(goes_live, ends)),
            (has_edits, _differs(ends, until)),
        ),
    )


def _staged(table: Table, name: str) -> ColumnElement[Any]:
    return cast(cast(table.c.staged[name].as_string(), Text), UTCDateTime())


def _before(since: ColumnElement[Any], until: ColumnElement[Any]) -> ColumnElement[bool]:
    return or_(since.is_(None), until.is_(None), since < until)


def _differs(staged: ColumnElement[Any], live: ColumnElement[Any]) -> ColumnElement[bool]:
    return or_(live.is_(None), staged != live)


def _is_true(condition: ColumnElement[bool]) -> ColumnElement[bool]:
    """Return a condition that is false instead of null."""
    return condition.is_(true())
