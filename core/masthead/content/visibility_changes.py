"""The times at which the passing of time alone changes what the public sees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, literal, select, true, union_all

from masthead.content.contenttype import ContentType
from masthead.content.feed import FIRST_PUBLISHED
from masthead.content.period import DAY_AGO, day_before
from masthead.content.times import SCHEDULE
from masthead.content.visibility import NOW, vanishing_columns

_AT_ONCE, _INSTANT, _DAY = 0, 1, 86_400_000
"""Milliseconds from a time in a row to the change."""
_LAST = datetime.max.replace(tzinfo=UTC) - timedelta(milliseconds=_DAY)


class VisibilityChanges:
    """Finds the last and the next visibility change among all content types."""

    def __init__(self, content_types: Iterable[ContentType]) -> None:
        each = [
            select(literal(content_type.table.name), *found.subquery().c)
            for content_type in content_types
            for found in _nearest(content_type)
        ]
        self._statement = union_all(*each) if each else None

    def around(
        self, connection: Connection, now: datetime
    ) -> tuple[dict[str, datetime], datetime | None]:
        """Return the last visibility change at or before ``now``, and the first one after it.

        The last ones are those of each content type, by the name of its table.
        """
        if self._statement is None:
            return {}, None
        times = {NOW.key: now, DAY_AGO.key: day_before(now)}
        rows = connection.execute(self._statement, times).all()
        passed: dict[str, datetime] = {}
        coming: datetime | None = None
        for table, nearest, later in rows:
            at = min(nearest, _LAST) + timedelta(milliseconds=later) if later else nearest
            if at <= now:
                passed[table] = max(at, passed.get(table, at))
            else:
                coming = min(at, coming or at)
        return passed, coming


def _nearest(content_type: ContentType) -> Iterator[Select[Any]]:
    """Yield statements for the times nearest to ``NOW``.

    Their second value is the number of milliseconds from the time to the change.
    """
    further = [content_type.columns[name] for name in content_type.visibility_fields]
    vanishing = vanishing_columns(content_type.table)
    for column in (content_type.columns[SCHEDULE], *vanishing, *further):
        yield from _around(select(column, literal(_AT_ONCE)), column, NOW)
    published = content_type.table.c.published == true()
    if content_type.upcoming:
        # An item that starts now is still upcoming.
        start = content_type.table.c.position
        starts = select(start, literal(_INSTANT)).where(published)
        yield _first(starts.where(start < NOW).order_by(start.desc()))
        yield _first(starts.where(start >= NOW).order_by(start))
    if content_type.period is not None:
        for column in (
            content_type.table.c.position,
            content_type.columns[content_type.period.end],
        ):
            times = select(column, literal(_AT_ONCE)).where(published)
            yield from _around(times, column, NOW)
            # An item that lasts whole days ends a day later.
            ends = select(column, literal(_DAY)).where(published)
            yield from _around(ends, column, DAY_AGO)
    if content_type.feed is not None and content_type.feed.date != FIRST_PUBLISHED:
        # A feed shows the date of an item only from then on.
        date = _indexed(content_type, content_type.feed.date)
        yield from _around(select(date, literal(_AT_ONCE)).where(published), date, NOW)


def _indexed(content_type: ContentType, name: str) -> ColumnElement[Any]:
    """Return the column of a time, or its copy with an index, which the lists are ordered by."""
    ordered_by = content_type.order.removeprefix("-")
    return content_type.table.c.position if name == ordered_by else content_type.columns[name]


def _around(
    times: Select[Any], column: ColumnElement[Any], moment: ColumnElement[Any]
) -> Iterator[Select[Any]]:
    """Yield statements for the last time up to a moment, and for the first one after it."""
    yield _first(times.where(column <= moment).order_by(column.desc()))
    yield _first(times.where(column > moment).order_by(column))


def _first(ordered: Select[Any]) -> Select[Any]:
    return ordered.limit(1)
