"""Reading what the public sees of a content type, for other outlets than its lists."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Dialect,
    Select,
    SQLColumnExpression,
    Text,
    bindparam,
    case,
    func,
    select,
    type_coerce,
)
from sqlalchemy.types import TypeDecorator

from masthead.content.contenttype import ContentType
from masthead.content.shapes import author_column, tags_column
from masthead.content.visibility import now_parameters, visible
from masthead.db import Database, UTCDateTime
from masthead.errors import StartError

_KEPT = ("id", "slug", "createdAt", "firstPublishedAt", "changedAt", "scheduledPublishAt")
_GATHERED = {"author": author_column, "tags": tags_column}


class PublicReader:
    """Chosen fields of what the public sees of a content type, and nothing else.

    Make one when the app is made: its statements are built once. They give values by wire name, as
    public answers have them, but for times, which are aware datetimes.
    """

    def __init__(
        self, content_type: ContentType, database: Database, fields: Iterable[str]
    ) -> None:
        """Choose the fields.

        :param fields: names of public fields, or of ``id``, ``slug``, ``tags``, ``author``,
            ``createdAt``, ``firstPublishedAt``, ``changedAt`` and ``scheduledPublishAt``.
        :raises StartError: for a field that the public doesn't see.
        """
        self._names = tuple(dict.fromkeys(fields))
        columns = _columns(content_type, database.dialect, self._names)
        self._table = content_type.table
        self._newest = _newest(content_type, columns)
        self._part = _part(content_type, columns)
        self._count = _count(content_type)
        self._last_change = _last_change(content_type)

    def newest(self, connection: Connection, most: int) -> list[dict[str, Any]]:
        """The newest items by the content type's ``date``, in the order of its lists."""
        found = connection.execute(self._newest, now_parameters() | {"most": most})
        return [dict(zip(self._names, row, strict=True)) for row in found]

    def part(self, connection: Connection, limit: int, offset: int) -> Iterator[dict[str, Any]]:
        """A part of all items in the order of their ids, so that what is made later comes last."""
        known = now_parameters() | {"limit": limit, "offset": offset}
        for row in connection.execute(self._part, known):
            yield dict(zip(self._names, row, strict=True))

    def count(self, connection: Connection) -> int:
        """How many items there are."""
        return int(connection.execute(self._count, now_parameters()).scalar_one())

    def sees(self, item_id: SQLColumnExpression[int]) -> ColumnElement[bool]:
        """Whether the public sees an item now, as a condition of a query.

        :param item_id: the column of another table that holds the item's id.
        """
        seen = select(self._table.c.id).where(self._table.c.id == item_id, visible(self._table))
        return seen.params(now_parameters()).exists()

    def last_change(self, connection: Connection) -> datetime | None:
        """When what the public sees last changed by an item that it sees; None without any."""
        changed: datetime | None = connection.execute(
            self._last_change, now_parameters()
        ).scalar_one()
        return changed


class _Parsed(TypeDecorator[Any]):
    """JSON that the database gathers as text."""

    impl = Text
    cache_ok = True

    # The arguments are those of SQLAlchemy's TypeDecorator.
    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:  # noqa: ARG002
        return None if value is None else json.loads(value)


def _columns(
    content_type: ContentType, dialect: str, fields: Iterable[str]
) -> list[ColumnElement[Any]]:
    public = [f.name for f in content_type.fields if f.public]
    found: list[ColumnElement[Any]] = []
    for name in fields:
        if name in _GATHERED:
            gathered = _GATHERED[name](content_type, dialect).expression
            found.append(type_coerce(gathered, _Parsed()).label(name))
        elif name in (*_KEPT, *public):
            found.append(content_type.column(name).label(name))
        else:
            raise StartError(f"{content_type.name}: the public sees no field {name}")
    return found


def _newest(content_type: ContentType, columns: Iterable[ColumnElement[Any]]) -> Select[Any]:
    """The newest by an index where the list is ordered by their date, in the list's order."""
    table, date = content_type.table, content_type.column(content_type.date)
    ordered = content_type.order.removeprefix("-") == content_type.date
    if ordered and (content_type.newest_first or not date.nullable):
        newest = table.c.position.desc()
    else:
        newest = date.desc().nulls_last()
    ids = select(table.c.id).where(visible(table)).order_by(newest, table.c.id.desc())
    found = select(*columns).where(table.c.id.in_(ids.limit(bindparam("most"))))
    keys = (table.c.position, table.c.id)
    return found.order_by(*(k.desc() if content_type.newest_first else k.asc() for k in keys))


def _part(content_type: ContentType, columns: Iterable[ColumnElement[Any]]) -> Select[Any]:
    table = content_type.table
    items = select(*columns).where(visible(table)).order_by(table.c.id)
    return items.limit(bindparam("limit")).offset(bindparam("offset"))


def _count(content_type: ContentType) -> Select[Any]:
    table = content_type.table
    return select(func.count()).select_from(table).where(visible(table))


def _last_change(content_type: ContentType) -> Select[Any]:
    """The later of an item's change and of its appearance, of the item that has the latest."""
    table = content_type.table
    changed, due = table.c.changed_at, table.c.scheduled_publish_at
    seen = case((due > changed, due), else_=changed)
    return select(func.max(seen, type_=UTCDateTime())).where(visible(table))
