"""Items that last for some time, such as events: whole days, and past, current or upcoming ones."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import (
    Boolean,
    Column,
    ColumnElement,
    Index,
    Table,
    and_,
    bindparam,
    false,
    func,
    not_,
    or_,
)
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

from masthead.content.visibility import NOW
from masthead.db import UTCDateTime
from masthead.settings import Setting, Settings

ALL_DAY = "allDay"
UPCOMING, CURRENT, PAST = "upcoming", "current", "past"
STATES = (UPCOMING, CURRENT, PAST)
DAY = timedelta(days=1)
DAY_AGO = bindparam("day_ago", type_=UTCDateTime())
"""One day before ``NOW``."""


@dataclass(frozen=True)
class Period:
    """The fields with the time over which an item lasts.

    Public answers show ``allDay``, and lists take ``when``, ``from`` and ``to``. An item lasts
    whole days if it starts at midnight UTC, as a date without a time does, and ends at midnight UTC
    or has no end; the day of its end is included. Another item without an end has no duration.
    """

    start: str
    """A required time that lists are ordered by."""
    end: str
    """A time; an item may have none. Its column gets an index."""
    whole_days: Setting[bool] | None = None
    """A setting that says whether items can last whole days; None if they always can."""

    def has_whole_days(self, settings: Settings) -> bool:
        """Whether items can last whole days."""
        return self.whole_days is None or settings[self.whole_days]


def index_period(table: Table, end: Column[Any]) -> None:
    """Add an index of the ends."""
    Index(f"ix_{table.name}_{end.name}", end)


class is_midnight(FunctionElement[bool]):  # noqa: N801 - it is used like a SQL function
    """``is_midnight(column)``: whether a UTCDateTime column is midnight in UTC."""

    name = "is_midnight"
    inherit_cache = True
    type = Boolean()

    def __init__(self, column: ColumnElement[datetime] | Any) -> None:
        super().__init__(column)


@compiles(is_midnight, "sqlite")
def _ends_with_midnight(element: is_midnight, compiler: SQLCompiler, **options: Any) -> str:
    return f"(substr({compiler.process(element.clauses, **options)}, 11) = 'T00:00:00.000Z')"


@compiles(is_midnight, "postgresql")
def _equals_its_day(element: is_midnight, compiler: SQLCompiler, **options: Any) -> str:
    moment = f"({compiler.process(element.clauses, **options)} AT TIME ZONE 'UTC')"
    return f"(date_trunc('day', {moment}) = {moment})"


class PeriodConditions:
    """The conditions on the periods of a content type's items."""

    def __init__(self, period: Period, columns: Any, position: Any, settings: Settings) -> None:
        """Take the columns.

        :param columns: those of the content type by wire name.
        :param position: the indexed copy of the start.
        """
        self._start, self._end = position, columns[period.end]
        self._last = func.coalesce(self._end, self._start, type_=UTCDateTime())
        self.has_whole_days = period.has_whole_days(settings)
        self.all_day: ColumnElement[bool] = false()
        """Whether an item lasts whole days."""
        if self.has_whole_days:
            ends = or_(self._end.is_(None), is_midnight(self._end))
            self.all_day = and_(is_midnight(columns[period.start]), ends)

    def parameters(self, now: datetime) -> dict[str, datetime]:
        """Return the parameter of statements with the conditions, in addition to ``NOW``."""
        return {DAY_AGO.key: day_before(now) if self.has_whole_days else now}

    def is_in(self, states: Collection[str]) -> ColumnElement[bool]:
        """Return the condition that an item is in one of some states."""
        conditions = {UPCOMING: self._start > NOW, CURRENT: self._is_current, PAST: self._is_past}
        return or_(*(conditions[state] for state in states))

    def ends_after(self, moment: datetime) -> ColumnElement[bool]:
        """Return the condition that an item lasts, or starts, at a time or later."""
        before = day_before(moment) if self.has_whole_days else moment
        lasts = or_(self._last > moment, self._start >= moment)
        by_index = or_(self._end > before, self._start >= before)
        return and_(by_index, or_(lasts, and_(self.all_day, self._last > before)))

    def starts_before(self, moment: datetime) -> ColumnElement[bool]:
        """Return the condition that an item starts before a time."""
        condition: ColumnElement[bool] = self._start < moment
        return condition

    @property
    def _is_current(self) -> ColumnElement[bool]:
        by_index = or_(self._end > DAY_AGO, and_(self._end.is_(None), self._start > DAY_AGO))
        return and_(self._start <= NOW, by_index, or_(self._last > NOW, self.all_day))

    @property
    def _is_past(self) -> ColumnElement[bool]:
        ended = or_(not_(self.all_day), self._last <= DAY_AGO)
        return and_(self._start <= NOW, self._last <= NOW, ended)


def day_before(moment: datetime) -> datetime:
    """Return the time one day earlier, or the first of all times."""
    first = datetime.min.replace(tzinfo=UTC)
    return moment - DAY if moment - first > DAY else first
