"""Clock boundaries: the times at which what the public sees changes without any write."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Select, literal, select, true, union_all

from masthead.content.contenttype import ContentType
from masthead.content.visibility import NOW

_INSTANT = timedelta(milliseconds=1)
_LAST = datetime.max.replace(tzinfo=UTC) - _INSTANT


class Boundaries:
    """Finds the last boundary passed and the next one to come, of all content types."""

    def __init__(self, content_types: Iterable[ContentType]) -> None:
        each = [found for kind in content_types for found in _nearest(kind)]
        self._statement = union_all(*each) if each else None

    def around(
        self, connection: Connection, now: datetime
    ) -> tuple[datetime | None, datetime | None]:
        """The last boundary at or before ``now``, and the first one after it."""
        if self._statement is None:
            return None, None
        rows = connection.execute(self._statement, {NOW.key: now}).all()
        found = [min(at, _LAST) + _INSTANT if is_past_it else at for at, is_past_it in rows]
        return (
            max((each for each in found if each <= now), default=None),
            min((each for each in found if each > now), default=None),
        )


def _nearest(kind: ContentType) -> Iterator[Select[Any]]:
    """The times nearest to ``NOW``, and whether each changes something only when it is past."""
    for name in ("scheduledPublishAt", *kind.boundaries):
        column = kind.column(name)
        yield _first(select(column, literal(False)).where(column <= NOW).order_by(column.desc()))
        yield _first(select(column, literal(False)).where(column > NOW).order_by(column))
    if kind.upcoming:
        # What starts now is upcoming still.
        start = kind.table.c.position
        starts = select(start, literal(True)).where(kind.table.c.published == true())
        yield _first(starts.where(start < NOW).order_by(start.desc()))
        yield _first(starts.where(start >= NOW).order_by(start))


def _first(ordered: Select[Any]) -> Select[Any]:
    return select(ordered.limit(1).subquery())
