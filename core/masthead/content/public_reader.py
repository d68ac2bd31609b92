"""Read access to public content, for feeds, calendars and sitemaps."""

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
    func,
    select,
    type_coerce,
)
from sqlalchemy.types import TypeDecorator

from masthead.content.contenttype import ContentType
from masthead.content.shapes import author_column, tags_column
from masthead.content.visibility import now_parameters, seen_since, visible
from masthead.db import Database, UTCDateTime
from masthead.errors import StartError
from masthead.instance import Instance
from masthead.references.reading import public_columns

_COLUMNS = ("id", "slug", "dir", "createdAt", "firstPublishedAt", "changedAt", "scheduledPublishAt")
_COMPUTED = {"author": author_column, "tags": tags_column}


class PublicReader:
    """Reads chosen fields of the items of a content type that the public sees.

    Its statements are built once, so create it with the application. Values are given by wire name
    as in public answers, except that times are aware datetimes, and days are dates.
    """

    def __init__(
        self, content_type: ContentType, database: Database, fields: Iterable[str]
    ) -> None:
        """Choose the fields.

        :param fields: names of public fields, or of ``id``, ``slug``, ``dir``, ``tags``,
            ``author``, ``createdAt``, ``firstPublishedAt``, ``changedAt`` and
            ``scheduledPublishAt``.
        :raises StartError: for a field that isn't public.
        """
        self._names = tuple(dict.fromkeys(fields))
        columns = _columns(content_type, database, self._names)
        self._table = content_type.table
        self._newest = _newest(content_type, columns)
        self._page = _page(content_type, columns)
        self._count = _count(content_type)
        self._last_change = _last_change(content_type)

    def read_newest(self, connection: Connection, limit: int) -> list[dict[str, Any]]:
        """Return the newest items by the content type's ``date``, in the order of its lists."""
        found = connection.execute(self._newest, now_parameters() | {"limit": limit})
        return [dict(zip(self._names, row, strict=True)) for row in found]

    def read_page(
        self, connection: Connection, limit: int, offset: int
    ) -> Iterator[dict[str, Any]]:
        """Yield a page of all items in the order of their ids, so that new items come last."""
        parameters = now_parameters() | {"limit": limit, "offset": offset}
        for row in connection.execute(self._page, parameters):
            yield dict(zip(self._names, row, strict=True))

    def count(self, connection: Connection) -> int:
        """Return the number of items."""
        return int(connection.execute(self._count, now_parameters()).scalar_one())

    def is_visible(self, item_id: SQLColumnExpression[int]) -> ColumnElement[bool]:
        """Return the condition of a query that the public sees an item now.

        :param item_id: a column of another table with the item's id.
        """
        seen = select(self._table.c.id).where(self._table.c.id == item_id, visible(self._table))
        return seen.params(now_parameters()).exists()

    def last_change(self, connection: Connection) -> datetime | None:
        """Return the time of the last change or appearance of an item; None without items."""
        changed: datetime | None = connection.execute(
            self._last_change, now_parameters()
        ).scalar_one()
        return changed


class _Parsed(TypeDecorator[Any]):
    """A column of JSON text, whose values are parsed."""

    impl = Text
    cache_ok = True

    # The arguments are those of SQLAlchemy's TypeDecorator.
    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:  # noqa: ARG002
        return None if value is None else json.loads(value)


def _columns(
    content_type: ContentType, database: Database, fields: Iterable[str]
) -> list[ColumnElement[Any]]:
    kinds = {f.name: f.kind for f in content_type.fields if f.public}
    dialect = database.dialect
    instance: Instance = database.session_info["masthead.instance"]
    references = public_columns(content_type.fields, content_type.columns, instance)
    found: list[ColumnElement[Any]] = []
    for name in fields:
        if name in _COMPUTED:
            computed = _COMPUTED[name](content_type, dialect).expression
            found.append(type_coerce(computed, _Parsed()).label(name))
        elif name in references and name in kinds:
            found.append(references[name].expression.label(name))
        elif name in (*_COLUMNS, *kinds):
            column = content_type.columns[name]
            is_time = name not in kinds or isinstance(column.type, UTCDateTime)
            found.append((column if is_time else kinds[name].wire(column)).label(name))
        else:
            raise StartError(f"{content_type.name}: the public sees no field {name}")
    return found


def _newest(content_type: ContentType, columns: Iterable[ColumnElement[Any]]) -> Select[Any]:
    """Return the newest items; an index finds them if the list is ordered by their date."""
    table, date = content_type.table, content_type.columns[content_type.date]
    ordered = content_type.order.removeprefix("-") == content_type.date
    if ordered and (content_type.newest_first or not date.nullable):
        newest = table.c.position.desc()
    else:
        newest = date.desc().nulls_last()
    ids = select(table.c.id).where(visible(table)).order_by(newest, table.c.id.desc())
    found = select(*columns).where(table.c.id.in_(ids.limit(bindparam("limit"))))
    keys = (table.c.position, table.c.id)
    return found.order_by(*(k.desc() if content_type.newest_first else k.asc() for k in keys))


def _page(content_type: ContentType, columns: Iterable[ColumnElement[Any]]) -> Select[Any]:
    table = content_type.table
    items = select(*columns).where(visible(table)).order_by(table.c.id)
    return items.limit(bindparam("limit")).offset(bindparam("offset"))


def _count(content_type: ContentType) -> Select[Any]:
    table = content_type.table
    return select(func.count()).select_from(table).where(visible(table))


def _last_change(content_type: ContentType) -> Select[Any]:
    """Return the latest time at which an item changed or appeared."""
    table = content_type.table
    return select(func.max(seen_since(table), type_=UTCDateTime())).where(visible(table))
