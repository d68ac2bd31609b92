"""The statements that read a content type for staff: all items, with their staged edits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import orjson
from sqlalchemy import ColumnElement, Connection, Row, bindparam, func, select
from sqlalchemy.orm import Session
from sqlalchemy.sql.selectable import Select

from masthead.content.contenttype import ContentType
from masthead.content.ordering import Order
from masthead.content.shapes import DIR, LANG, staff_shape
from masthead.content.staff_filters import SORT, TAG, filter_conditions, ordering
from masthead.content.taglinks import TAG_IDS
from masthead.content.visibility import now_parameters
from masthead.errors import NotFound
from masthead.http.paging import Page, Window
from masthead.schemas.computed import fill_in
from masthead.schemas.field_types import Bool, Int
from masthead.schemas.fields import shown_kind, staged_among
from masthead.schemas.labels import one, sentence, type_name
from masthead.schemas.language_tags import text_direction
from masthead.schemas.schema import ListOf, Object, extended, required, schema
from masthead.schemas.shapes import Shape
from masthead.search.finder import Finder
from masthead.search.index import STAFF
from masthead.search.tokens import parse_query
from masthead.tags.models import Tag

STAGED_HELP = "Whether it has an edit that the public doesn't see yet; the fields show that edit."


class StaffReading:
    """The staff lists and items of a content type; those without filters are built once."""

    def __init__(self, content_type: ContentType, dialect: str) -> None:
        self._content_type, self._dialect = content_type, dialect
        table = content_type.table
        self._list_shape = staff_shape(content_type, dialect, detail=False)
        self._detail_shape = staff_shape(content_type, dialect, detail=True)
        self._in_order = _in_order(content_type, dialect)
        self._list = _page(content_type, self._list_shape, self._in_order)
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
        return self._kind(self._list_shape, "StaffSummary", "as staff see it in a list")

    @property
    def detail_kind(self) -> Object:
        """The type of the answer to one item."""
        it = self._content_type
        live = {f.name: required(shown_kind(f.kind)) for f in it.staged_fields}
        live[TAG_IDS] = required(ListOf(Int()), help="The ids of its tags.")
        fields = schema(live, name=type_name(it, "Live"), help="The fields that the public sees.")
        kind = self._kind(self._detail_shape, "Staff", "as staff see it")
        further = {
            "live": required(
                Object(fields),
                nullable=True,
                help="The fields that the public sees while an edit waits; null without an edit.",
            )
        }
        node = kind.node
        return Object(extended(node, further, name=node.type_name, help=node.description))

    def _kind(self, shape: Shape, role: str, seen: str) -> Object:
        it, further = self._content_type, {"staged": required(Bool(), help=STAGED_HELP)}
        name, meaning = type_name(it, role), sentence(f"{one(it)}, {seen}")
        return Object(extended(shape.kind.node, further, name=name, help=meaning))

    def page(self, session: Session, window: Window, query: Mapping[str, Any]) -> Page:
        """Return a page of the items that a checked query selects, in the order that it names."""
        connection = session.connection()
        parameters: dict[str, Any] = {"limit": window.limit, "offset": window.offset}
        parameters |= now_parameters()
        words = query.get("search")
        search = parse_query(words) if words else None
        if words and search is None:
            return Page([], 0)
        if search is not None:
            parameters |= self._finder.prepare(connection, search)
        read = self._filtered if query.keys() - {"search"} else self._unfiltered
        found, total = read(connection, query, parameters)
        items = _items(self._content_type, self._list_shape, found)
        fill_in(session, items, self._content_type.computed, self._list_shape.looked_up)
        return Page(items, total)

    def _unfiltered(
        self, connection: Connection, query: Mapping[str, Any], parameters: Mapping[str, Any]
    ) -> tuple[Sequence[Row[Any]], int]:
        count, rows = (self._finder.count() if query.get("search") else self._count), self._list
        total = connection.execute(count, parameters).scalar_one()
        if query.get("search"):
            in_order = self._finder.uses_order_scan(total)
            rows = self._order_scan if in_order else self._hit_scan
        return connection.execute(rows, parameters).all(), total

    def _filtered(
        self, connection: Connection, query: Mapping[str, Any], parameters: Mapping[str, Any]
    ) -> tuple[Sequence[Row[Any]], int]:
        content_type, table = self._content_type, self._content_type.table
        conditions = filter_conditions(content_type, self._dialect, query)
        if query.get("search"):
            conditions.append(self._finder.is_hit(table.c.id, order_scan=False))
        parameters = {**parameters, **({TAG: query[TAG]} if TAG in query else {})}
        total = connection.execute(self._count.where(*conditions), parameters).scalar_one()
        keys = ordering(content_type, query.get(SORT))
        if query.get("staged") is False and SORT not in query:
            # Nearly all items match.
            conditions.append(self._in_order)
        # The ids first, so that sorting doesn't carry the items along.
        ids = _window(select(table.c.id).where(*conditions), keys)
        rows = _with_staged(content_type, self._list_shape).where(table.c.id.in_(ids))
        return connection.execute(rows.order_by(*keys), parameters).all(), total

    def one(self, session: Session, item_id: int) -> tuple[dict[str, Any], int]:
        """Return one item and its revision.

        :raises NotFound: if there is no such item.
        """
        connection = session.connection()
        rows = connection.execute(self._detail, now_parameters() | {"id": item_id}).all()
        if not rows:
            raise NotFound
        [item], staged = self._detail_shape.items([rows[0][:-2]]), rows[0].staged
        live = None if staged is None else _live(self._content_type, rows[0])
        _lay_over(self._content_type, item, staged)
        fill_in(session, [item], self._content_type.computed, self._detail_shape.looked_up)
        if staged is not None:
            item["tags"] = _tags(connection, staged[TAG_IDS])
        return {**item, "live": live}, rows[0].revision


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
    return _window(_with_staged(content_type, shape).where(condition), ordering(content_type))


def _window(rows: Select[Any], keys: Sequence[Any]) -> Select[Any]:
    return rows.order_by(*keys).limit(bindparam("limit")).offset(bindparam("offset"))


def _items(
    content_type: ContentType, shape: Shape, rows: Iterable[Row[Any]]
) -> list[dict[str, Any]]:
    rows = list(rows)
    items = shape.items(row[:-2] for row in rows)
    for item, row in zip(items, rows, strict=True):
        _lay_over(content_type, item, row.staged)
    return items


def _lay_over(
    content_type: ContentType, item: dict[str, Any], staged: Mapping[str, Any] | None
) -> None:
    """Replace the live values of an answer by the staged ones."""
    item["staged"] = staged is not None
    if staged is not None:
        counting = staged_among(content_type.fields, staged)
        item.update((f.name, staged[f.name]) for f in counting if f.name in item)
        item[DIR] = item[LANG] and text_direction(item[LANG])


def _live(content_type: ContentType, row: Row[Any]) -> dict[str, Any]:
    """Return the live values of the fields that can be staged, and the ids of the live tags."""
    values = row._asdict()
    live = {f.name: values[f.name] for f in content_type.staged_fields}
    return live | {TAG_IDS: sorted(tag["id"] for tag in orjson.loads(values["tags"]))}


def _tags(connection: Connection, ids: Sequence[int]) -> list[dict[str, Any]]:
    table = Tag.__table__
    rows = select(table.c.id, table.c.name, table.c.slug).where(table.c.id.in_(ids))
    return [
        row._asdict()
        for row in connection.execute(rows.order_by(table.c.sort_key, table.c.id)).all()
    ]
