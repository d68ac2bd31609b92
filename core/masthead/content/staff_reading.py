"""The statements that read a content type for staff: all items, with their staged edits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    String,
    UnaryExpression,
    bindparam,
    func,
    select,
)
from sqlalchemy.sql.selectable import Select

from masthead.content.contenttype import ContentType
from masthead.content.ordering import Order
from masthead.content.shapes import staff_shape
from masthead.content.taglinks import TAG_IDS
from masthead.db import by_code_points
from masthead.errors import NotFound
from masthead.http.paging import Page, Window
from masthead.schemas.field_types import Bool
from masthead.schemas.fields import staged_among
from masthead.schemas.schema import Object, extended, required
from masthead.schemas.shapes import Shape
from masthead.search.finder import Finder
from masthead.search.index import STAFF
from masthead.search.tokens import parse_query
from masthead.tags.models import Tag


class StaffReading:
    """The staff lists and items of a content type, read by statements that are built once."""

    def __init__(self, content_type: ContentType, dialect: str) -> None:
        self._content_type, table = content_type, content_type.table
        self._list_shape = staff_shape(content_type, dialect, detail=False)
        self._detail_shape = staff_shape(content_type, dialect, detail=True)
        in_order = _in_order(content_type, dialect)
        self._list = _page(content_type, self._list_shape, in_order)
        self._finder = finder = Finder(content_type.name, dialect, STAFF)
        hits = finder.is_hit(table.c.id, order_scan=False)
        self._hit_scan = _page(content_type, self._list_shape, hits)
        self._order_scan = self._list.where(finder.is_hit(table.c.id, order_scan=True))
        self._detail = _with_staged(content_type, self._detail_shape).where(
            table.c.id == bindparam("id")
        )
        self._count = select(func.count()).select_from(table)

    @property
    def list_kind(self) -> Object:
        """The type of the answer to an item of a list."""
        return _staff_kind(self._list_shape)

    @property
    def detail_kind(self) -> Object:
        """The type of the answer to one item."""
        return _staff_kind(self._detail_shape)

    def page(self, connection: Connection, window: Window, words: str | None = None) -> Page:
        """Return a page of all items, or of those that the search ``words`` finds."""
        parameters: dict[str, Any] = {"limit": window.limit, "offset": window.offset}
        rows, count = self._list, self._count
        if words:
            query = parse_query(words)
            if query is None:
                return Page([], 0)
            parameters |= self._finder.prepare(connection, query)
            count = self._finder.count()
        total = connection.execute(count, parameters).scalar_one()
        if words:
            in_order = self._finder.uses_order_scan(total)
            rows = self._order_scan if in_order else self._hit_scan
        found = connection.execute(rows, parameters).all()
        return Page(_items(self._content_type, self._list_shape, found), total)

    def one(self, connection: Connection, item_id: int) -> tuple[dict[str, Any], int]:
        """Return one item and its revision.

        :raises NotFound: if there is no such item.
        """
        rows = connection.execute(self._detail, {"id": item_id}).all()
        if not rows:
            raise NotFound
        item = _items(self._content_type, self._detail_shape, rows)[0]
        staged = rows[0].staged
        if staged is not None:
            item["tags"] = _tags(connection, staged[TAG_IDS])
        return item, rows[0].revision


def _staff_kind(shape: Shape) -> Object:
    return Object(extended(shape.kind.node, {"staged": required(Bool())}))


def _with_staged(content_type: ContentType, shape: Shape) -> Select[Any]:
    table = content_type.table
    return shape.select().add_columns(table.c.staged, table.c.revision)


def _in_order(content_type: ContentType, dialect: str) -> ColumnElement[Any]:
    """Return a condition that every item meets, and that makes SQLite use the order's index."""
    position = content_type.table.c.position
    always = position >= Order(position, descending=True).last
    # SQLite would otherwise sort the whole table for a page.
    return func.unlikely(always) if dialect == "sqlite" else always


def _page(content_type: ContentType, shape: Shape, condition: ColumnElement[Any]) -> Select[Any]:
    ordered = _with_staged(content_type, shape).where(condition).order_by(*_order(content_type))
    return ordered.limit(bindparam("limit")).offset(bindparam("offset"))


def _items(
    content_type: ContentType, shape: Shape, rows: Iterable[Row[Any]]
) -> list[dict[str, Any]]:
    rows = list(rows)
    items = shape.items(row[:-2] for row in rows)
    for item, row in zip(items, rows, strict=True):
        item["staged"] = row.staged is not None
        if row.staged is not None:
            counting = staged_among(content_type.fields, row.staged)
            item.update((f.name, row.staged[f.name]) for f in counting if f.name in item)
    return items


def _tags(connection: Connection, ids: Sequence[int]) -> list[dict[str, Any]]:
    table = Tag.__table__
    rows = select(table.c.id, table.c.name, table.c.slug).where(table.c.id.in_(ids))
    return [
        row._asdict()
        for row in connection.execute(rows.order_by(table.c.sort_key, table.c.id)).all()
    ]


def _order(content_type: ContentType) -> list[UnaryExpression[Any]]:
    table = content_type.table
    descending = content_type.newest_first
    keys = [table.c.position.desc() if descending else table.c.position.asc()]
    for name in content_type.staff_order:
        descending = name.startswith("-")
        column: ColumnElement[Any] = content_type.columns[name.removeprefix("-")]
        column = by_code_points(column) if isinstance(column.type, String) else column
        keys.append((column.desc() if descending else column.asc()).nulls_last())
    keys.append(table.c.id.desc() if descending else table.c.id.asc())
    return keys
