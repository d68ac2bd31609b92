"""Reading the scheduled changes of several types in the order of time, with one statement."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from sqlalchemy import (
    ColumnElement,
    Row,
    Select,
    and_,
    func,
    literal,
    select,
    true,
    union_all,
)
from sqlalchemy.orm import Session

from masthead.approval.declaration import Approvable
from masthead.db import utcnow
from masthead.db.types import utc_text
from masthead.errors import ProblemCode, wrong_field
from masthead.http.list_query import FROM, TO
from masthead.http.paging import Page, Window

_FIRST = datetime.min.replace(tzinfo=UTC)
_DAY = timedelta(days=1)


class Span(NamedTuple):
    """A span of time; its end isn't part of it."""

    begin: datetime
    end: datetime | None
    """None for the end of all times."""

    def contains(self, at: ColumnElement[datetime]) -> ColumnElement[bool]:
        """Return the condition that a time is in the span."""
        return and_(at >= self.begin, at < self.end if self.end else true())


def chosen_span(query: Mapping[str, Any], zone: ZoneInfo) -> Span:
    """Return the span that a checked query chooses; its days are those of a time zone.

    :raises Invalid: for a span that ends before it begins.
    """
    begin, end = _begin(query.get(FROM), zone), _end(query.get(TO), zone)
    if end is not None and end <= begin:
        raise wrong_field(TO, ProblemCode.CONFLICTING, f"Must be after {FROM}")
    return Span(begin, end)


def read_schedule(
    session: Session, kinds: Sequence[Approvable], span: Span, zone: ZoneInfo, window: Window
) -> Page:
    """Return a page of the scheduled changes of some types in a span.

    :param zone: the time zone of the local times.
    """
    each = [rows for kind in kinds for rows in _changes(kind, span)]
    if not each:
        return Page([], 0)
    found = union_all(*each).subquery()
    total = session.scalar(select(func.count()).select_from(found)) or 0
    keys = (found.c.at, found.c.content_type, found.c.id, found.c.change)
    page = select(found).order_by(*keys).limit(window.limit).offset(window.offset)
    labels = {kind.name: kind.label for kind in kinds}
    return Page([_described(row, labels, zone) for row in session.execute(page)], total)


def _changes(kind: Approvable, span: Span) -> Iterator[Select[Any]]:
    columns = kind.model.__table__.c
    for change in kind.scheduled_changes():
        yield select(
            change.at.label("at"),
            literal(change.name).label("change"),
            literal(kind.name).label("content_type"),
            columns.id,
            kind.shown_titles().label("title"),
            columns.approval_status,
            change.happens.label("happens"),
        ).where(span.contains(change.at), *change.conditions)


def _described(row: Row[Any], labels: Mapping[str, str], zone: ZoneInfo) -> dict[str, Any]:
    return {
        "at": row.at,
        "localTime": _local(row.at, zone),
        "timeZone": zone.key,
        "change": row.change,
        "contentType": row.content_type,
        "label": labels[row.content_type],
        "id": row.id,
        "title": row.title,
        "approvalStatus": row.approval_status,
        "happens": bool(row.happens),
    }


def _local(moment: datetime, zone: ZoneInfo) -> str:
    try:
        local = moment.astimezone(zone).isoformat(timespec="milliseconds")
        return re.sub(r"\+00:00$", "Z", local)
    except OverflowError:
        # The last or the first day of all times.
        return utc_text(moment)


def _begin(chosen: datetime | None, zone: ZoneInfo) -> datetime:
    """Return the begin of a span in UTC; a naive time is the begin of a day in the zone."""
    moment = chosen or utcnow()
    try:
        return moment if moment.tzinfo else moment.replace(tzinfo=zone).astimezone(UTC)
    except OverflowError:
        return _FIRST


def _end(chosen: datetime | None, zone: ZoneInfo) -> datetime | None:
    """Return the end of a span in UTC; a naive time is the begin of a day, which is included."""
    if chosen is None or chosen.tzinfo is not None:
        return chosen
    try:
        return (chosen + _DAY).replace(tzinfo=zone).astimezone(UTC)
    except OverflowError:
        return None
