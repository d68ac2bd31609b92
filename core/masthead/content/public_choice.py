"""Public items with the fields, the order and the filters that a request chooses.

Plain lists are read from stored JSON instead, see ``public_reading``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import UTC, datetime
from functools import lru_cache, partial
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, String, bindparam, func, or_, select
from sqlalchemy.orm import Session

from masthead.content.contenttype import ContentType
from masthead.content.field_filters import conditions_of
from masthead.content.period import PAST, PeriodConditions
from masthead.content.public_reading import is_upcoming, tag_id
from masthead.content.public_related import MOST_RELATED, RELATED_ITEMS, RelatedReading
from masthead.content.schemas import UPCOMING
from masthead.content.shapes import UPDATED, period_conditions, public_shape, related_shape
from masthead.content.visibility import NOW, now_parameters, readable, seen_since, visible
from masthead.db import by_code_points
from masthead.errors import NotFound, ProblemCode, wrong_field
from masthead.http.addresses import absolute_html, item_address
from masthead.http.images import images_of
from masthead.http.list_query import (
    FIELDS,
    FROM,
    HTML,
    IDS,
    INCLUDE,
    LIMIT,
    RELATED,
    SORT,
    TO,
    UPDATED_SINCE,
    WHEN,
)
from masthead.http.paging import Page, Totals, Window
from masthead.http.wire import dump_json
from masthead.instance import Instance
from masthead.references.embedding import Embedding
from masthead.references.filtering import filter_key, refer_publicly
from masthead.resources.former_slugs import FormerSlug
from masthead.schemas.computed import fill_in
from masthead.schemas.fields import is_html
from masthead.schemas.shapes import Shape
from masthead.search.finder import Finder
from masthead.search.index import PUBLIC
from masthead.search.tokens import parse_query

Query = Mapping[str, Any]
_KEPT = 64
_ALWAYS = ("id", "slug")
"""The fields that are read for each item, shown or not."""


class ChosenReading:
    """The public lists and items of a content type, read as a request chooses."""

    def __init__(self, content_type: ContentType, instance: Instance) -> None:
        dialect = instance.database.dialect
        self._images = images_of(instance)
        self.list_shape = public_shape(content_type, instance, detail=False)
        self.detail_shape = public_shape(content_type, instance, detail=True)
        self.related = RelatedReading(content_type, related_shape(content_type, instance))
        self._period = period_conditions(content_type, instance.settings)
        self._content_type, self._table = content_type, content_type.table
        self._settings, self._instance = instance.settings, instance
        self.embedding = Embedding(content_type.fields, instance, public=True)
        self._finder = Finder(content_type.name, dialect, PUBLIC)
        self._html = [f.name for f in content_type.fields if is_html(f.kind)]
        # A request without parameters for the fields always chooses the same ones.
        self._shape = lru_cache(_KEPT)(self._make_shape)
        self._present_slug = _present_slug(content_type)

    def page(self, session: Session, window: Window, query: Query, totals: Totals | None) -> Page:
        """Return a page of the list.

        :param query: the checked parameters.
        :param totals: the counts that are still valid; this count is added to them.
        """
        connection = session.connection()
        selected = _Selected(self._content_type, self._period, query)
        selected.refer(self._instance, query)
        selected.search(self._finder, connection, query.get("search"))
        if selected.is_empty:
            return Page(b"[]", 0)
        total = (totals or Totals()).get(selected.key, partial(selected.count, connection))
        names = self._names(query, self.list_shape)
        shape, _ = self._shape(names.union(self.embedding.needed(query)))
        statement = selected.page(shape, query.get(SORT, ()))
        bounds = {"limit": window.limit, "offset": window.offset}
        rows = connection.execute(statement, selected.parameters | bounds).all()
        items = self._present(session, shape.items(rows), names, query)
        return Page(dump_json(items), total)

    def one(
        self, session: Session, slug: str, query: Query, now: datetime | None = None
    ) -> tuple[int, dict[str, Any]]:
        """Return the id of an item and the item.

        :param query: the checked parameters.
        :param now: the time at which the public reads it; the present one by default.
        :raises NotFound: if the public sees no item with that slug.
        """
        names = self._names(query, self.detail_shape)
        shape, by_slug = self._shape(names.union(self.embedding.needed(query)))
        parameters = {NOW.key: now} if now else now_parameters()
        rows = session.connection().execute(by_slug, parameters | {"slug": slug}).all()
        if not rows:
            raise NotFound
        items = shape.items(rows)
        item_id = items[0]["id"]
        return item_id, self._present(session, items, names, query)[0]

    def related_to(
        self, connection: Connection, item_id: int, query: Query
    ) -> list[dict[str, Any]]:
        """Return the items that are related to one item.

        :param query: the checked parameters.
        """
        items = self.related.of(
            connection, [item_id], min(query.get(LIMIT, RELATED_ITEMS), MOST_RELATED)
        )
        found = items.get(item_id, [])
        for item in found if query.get(HTML) else ():
            self._make_absolute(item)
        if chosen := query.get(FIELDS):
            return [{name: item[name] for name in item if name in chosen} for item in found]
        return found

    def present_slug(self, connection: Connection, former: str) -> str | None:
        """Return the slug of the item that had a slug; None if the public sees no such item."""
        found: str | None = connection.execute(
            self._present_slug, now_parameters() | {"former": former}
        ).scalar_one_or_none()
        return found

    def _names(self, query: Query, shape: Shape) -> frozenset[str]:
        """Return the names of the fields to show."""
        return frozenset(query.get(FIELDS) or (*shape.names, *query.get(INCLUDE, ())))

    def _make_shape(self, names: frozenset[str]) -> tuple[Shape, Select[Any]]:
        """Return the shape with some fields, and the statement for an item by its slug."""
        shape = self.detail_shape.only(names.union(_ALWAYS))
        by_slug = (self._table.c.slug == bindparam("slug"), readable(self._table))
        return shape, shape.select().where(*by_slug)

    def _present(
        self,
        session: Session,
        items: list[dict[str, Any]],
        names: Collection[str],
        query: Query,
    ) -> list[dict[str, Any]]:
        """Complete items that were read, and remove the fields that aren't to be shown."""
        connection = session.connection()
        fill_in(session, items, self._content_type.computed, names)
        self._images.complete_fields(connection, items, self._html)
        if query.get(HTML):
            for item in items:
                self._make_absolute(item)
        if RELATED in names:
            related = self.related.of(connection, [item["id"] for item in items])
            for item in items:
                item[RELATED] = related.get(item["id"], [])
        self.embedding.add(session, items, query)
        for name in {*_ALWAYS, *self.embedding.needed(query)}.difference(names):
            for item in items:
                del item[name]
        return items

    def _make_absolute(self, item: dict[str, Any]) -> None:
        # A related item may lack its slug.
        page = item_address(self._settings, self._content_type.name, item.get("slug") or "")
        for name in self._html:
            if item.get(name):
                item[name] = absolute_html(self._settings, page, item[name])


class _Selected:
    """The items of a content type that the filters of a request select."""

    def __init__(
        self, content_type: ContentType, period: PeriodConditions | None, query: Query
    ) -> None:
        self._content_type, self._table = content_type, content_type.table
        self.is_empty = False
        self._is_past = query.get(WHEN) == (PAST,)
        self.parameters: dict[str, Any] = dict(now_parameters())
        self._conditions: list[ColumnElement[bool]] = [visible(self._table)]
        key: list[Any] = [content_type.name]
        for name, add in _FILTERS.items():
            if query.get(name):
                self._conditions.append(add(self._content_type, self.parameters, query[name]))
                key.append((name, query[name]))
        self._conditions += conditions_of(content_type.filters, query)
        key += [(each.parameter, query.get(each.parameter)) for each in content_type.filters]
        if period is not None:
            self._conditions += _in_period(period, query)
            self.parameters |= period.parameters(self.parameters[NOW.key])
            key += [query.get(name) for name in (WHEN, FROM, TO)]
        self.key = tuple(key)
        """The key of the number of items."""

    def count(self, connection: Connection) -> int:
        """Return the number of items."""
        counted = select(func.count()).select_from(self._table).where(*self._conditions)
        return int(connection.execute(counted, self.parameters).scalar_one())

    def page(self, shape: Shape, sort: Collection[tuple[str, bool]]) -> Select[Any]:
        """Return the statement for a part of the items, from ``offset`` up to ``limit``."""
        keys = self._keys(sort)
        named = [key.label(f"key{place}") for place, (key, _) in enumerate(keys)]
        ids = select(self._table.c.id, *named).where(*self._conditions)
        ordered = ids.order_by(*(_directed(*key) for key in keys))
        page = ordered.limit(bindparam("limit")).offset(bindparam("offset")).subquery()
        chosen = shape.select().join_from(page, self._table, self._table.c.id == page.c.id)
        directions = [descending for _, descending in keys]
        return chosen.order_by(*map(_directed, list(page.c)[1:], directions))

    def refer(self, instance: Instance, query: Query) -> None:
        """Select only the items that refer to those that a query names, if it does."""
        it = self._content_type
        self._conditions += refer_publicly(it.name, it.fields, it.table.c.id, query, instance)
        self.key = (*self.key, *filter_key(it.fields, query))

    def search(self, finder: Finder, connection: Connection, words: str | None) -> None:
        """Select only the items that a search finds, if there is one."""
        if not words:
            return
        parsed = parse_query(words)
        if parsed is None:
            self.is_empty = True
            return
        self.key = (*self.key, parsed)
        self.parameters |= finder.prepare(connection, parsed)
        self._conditions.append(finder.is_hit(self._table.c.id, order_scan=False))

    def _keys(self, sort: Collection[tuple[str, bool]]) -> list[tuple[ColumnElement[Any], bool]]:
        """Return the columns of the order, each with whether it is descending; the id is last."""
        descending = self._content_type.newest_first or self._is_past
        keys: list[tuple[ColumnElement[Any], bool]] = [(self._table.c.position, descending)]
        if sort:
            keys = [(self._key(name, down), down) for name, down in sort]
            descending = keys[-1][1]
        return [*keys, (self._table.c.id, descending)]

    def _key(self, name: str, down: bool) -> ColumnElement[Any]:
        if name == UPDATED:
            return seen_since(self._table)
        column, order = self._content_type.columns[name], self._content_type.order
        is_order = name == order.removeprefix("-")
        if is_order and (down == self._content_type.newest_first or not column.nullable):
            # A copy with an index.
            return self._table.c.position
        return by_code_points(column) if isinstance(column.type, String) else column


def _present_slug(content_type: ContentType) -> Select[str]:
    table = content_type.table
    return (
        select(table.c.slug)
        .join(FormerSlug, FormerSlug.item_id == table.c.id)
        .where(FormerSlug.kind == content_type.name, FormerSlug.slug == bindparam("former"))
        .where(readable(table))
    )


def _in_period(period: PeriodConditions, query: Query) -> Iterator[ColumnElement[bool]]:
    """Yield the conditions on an item's period."""
    if query.get(WHEN):
        yield period.is_in(query[WHEN])
    if FROM in query:
        yield period.ends_after(query[FROM])
    if TO in query:
        if query[TO] <= query.get(FROM, datetime.min.replace(tzinfo=UTC)):
            raise wrong_field(TO, ProblemCode.CONFLICTING, f"Must be after {FROM}")
        yield period.starts_before(query[TO])


def _with_tag(content_type: ContentType, parameters: dict[str, Any], slug: str) -> Any:
    parameters["tag"] = slug
    links = content_type.links
    tagged = select(links.c.item_id).where(links.c.tag_id == tag_id())
    return content_type.table.c.id.in_(tagged)


def _upcoming(content_type: ContentType, _parameters: dict[str, Any], _value: bool) -> Any:
    return is_upcoming(content_type.table)


def _with_id(content_type: ContentType, _parameters: dict[str, Any], ids: Any) -> Any:
    return content_type.table.c.id.in_(ids)


def _updated_since(content_type: ContentType, _parameters: dict[str, Any], since: Any) -> Any:
    columns = content_type.table.c
    return or_(columns.changed_at >= since, columns.scheduled_publish_at >= since)


_Filter = Callable[[ContentType, dict[str, Any], Any], ColumnElement[bool]]
_FILTERS: Mapping[str, _Filter] = {
    "tag": _with_tag,
    UPCOMING: _upcoming,
    IDS: _with_id,
    UPDATED_SINCE: _updated_since,
}


def _directed(key: ColumnElement[Any], descending: bool) -> ColumnElement[Any]:
    directed = key.desc() if descending else key.asc()
    # An index gives another order of nulls, so it would not serve the order of a column without.
    return directed.nulls_last() if getattr(key, "nullable", True) else directed
