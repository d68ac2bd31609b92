"""The statements that read a content type for the public, all with one predicate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    FromClause,
    Text,
    bindparam,
    cast,
    func,
    literal_column,
    select,
)
from sqlalchemy.sql.selectable import Select

from masthead.content.contenttype import ContentType
from masthead.content.shapes import public_shape
from masthead.content.visibility import NOW, hidden_ids, now_parameters, visible
from masthead.db import Database
from masthead.http.images import images_of
from masthead.http.paging import Page, Totals, Window
from masthead.instance import Instance
from masthead.schemas.shapes import Column, Shape
from masthead.tags.models import FormerTagSlug, Tag


class PublicReading:
    """The plain public lists of a content type, read by statements that are built once."""

    def __init__(self, content_type: ContentType, instance: Instance) -> None:
        database, self._images = instance.database, images_of(instance)
        self._name = content_type.name
        self._has_html = content_type.list_content
        self.shape = public_shape(content_type, instance, detail=False)
        """The fields of an item in a list."""
        self._lists = {
            (upcoming, tagged): _List(content_type, self.shape, database, upcoming, tagged)
            for upcoming in ((False, True) if content_type.upcoming else (False,))
            for tagged in (False, True)
        }

    def page(
        self,
        connection: Connection,
        window: Window,
        tag: str | None = None,
        totals: Totals | None = None,
        *,
        upcoming: bool = False,
    ) -> Page:
        """Return a page of the list.

        :param tag: the slug of a tag that the items have.
        :param totals: the counts that are still valid; this count is added to them.
        :param upcoming: whether to leave out past items, of a content type with ``upcoming``.
        """
        statements = self._lists[upcoming, tag is not None]
        parameters: dict[str, Any] = dict(now_parameters())
        if tag is not None:
            parameters["tag"] = tag
        total = (totals or Totals()).get(
            (self._name, tag, upcoming),
            lambda: int(connection.execute(statements.count, parameters).scalar_one()),
        )
        if window.offset >= total:
            return Page(b"[]", total)
        backwards = window.offset > total // 2
        nearest = window.from_end(total) if backwards else window
        parameters |= {"limit": nearest.limit, "offset": nearest.offset}
        items, missing = statements.stored[backwards].one(connection, parameters)
        if missing:
            items, _ = statements.complete[backwards].one(connection, parameters)
        return Page(self.encode(connection, items), total)

    def encode(self, connection: Connection, items: str | None) -> bytes:
        """Return the JSON of a list from the joined JSON of its items, which is null for none."""
        texts = [items or ""]
        if self._has_html:
            texts = self._images.complete(connection, texts, in_json=True)
        return f"[{texts[0]}]".encode()


class _List:
    """The statements of one list: its pages, from stored JSON or complete, and their total.

    The pages are found from the start of the list, or backwards from its end if that is nearer.
    """

    def __init__(
        self,
        content_type: ContentType,
        shape: Shape,
        database: Database,
        upcoming: bool,
        tagged: bool,
    ) -> None:
        stored, dialect = content_type.table.c.listed, database.dialect
        complete = func.coalesce(stored, shape.stored().json(dialect), type_=Text())
        pages, count = (tagged_statement, _count_tagged) if tagged else (list_statement, _count)
        rows = content_type.links if tagged else content_type.table
        conditions = [is_upcoming(rows)] if upcoming else []
        seen = visible(content_type.table)
        self.stored, self.complete = (
            [
                database.prepare(
                    pages(
                        content_type,
                        Listing(listed, shape.joined, dialect),
                        seen,
                        *conditions,
                        backwards=backwards,
                    )
                )
                for backwards in (False, True)
            ]
            for listed in (stored, complete)
        )
        self.count = count(content_type).where(*conditions)


class Listing(NamedTuple):
    """The JSON of an item in a list."""

    listed: ColumnElement[str]
    """The stored JSON, or JSON like it."""
    joined: Sequence[Column]
    """The fields that are read beside it."""
    dialect: str


def list_statement(
    content_type: ContentType,
    listing: Listing,
    seen: ColumnElement[bool],
    *conditions: ColumnElement[bool],
    backwards: bool = False,
) -> Select[Any]:
    """Return the statement for a page as one JSON text, and the number of items missing from it.

    :param seen: the predicate: whether the public sees an item.
    :param backwards: whether the offset counts from the end of the list.
    """
    table = content_type.table
    page = select(table.c.id.label("item_id"), table.c.position).where(seen, *conditions)
    window = _window(content_type, page, table.c.id, backwards)
    return _joined(content_type, window, listing)


def tagged_statement(
    content_type: ContentType,
    listing: Listing,
    seen: ColumnElement[bool],
    *conditions: ColumnElement[bool],
    backwards: bool = False,
) -> Select[Any]:
    """Return the same statement for the items with the tag whose slug is ``tag``."""
    links, table = content_type.links, content_type.table
    page = (
        select(links.c.item_id, links.c.position)
        .join_from(links, table, table.c.id == links.c.item_id)
        .where(links.c.tag_id == tag_id(), seen, *conditions)
    )
    window = _window(content_type, page, links.c.item_id, backwards)
    return _joined(content_type, window, listing)


def is_upcoming(rows: FromClause) -> ColumnElement[bool]:
    """Return the condition that an item isn't past at ``NOW``, by the index that orders the list.

    :param rows: the table of a content type with ``upcoming``, or its links to tags.
    """
    return rows.c.position >= NOW


def _count(content_type: ContentType) -> Select[Any]:
    table = content_type.table
    return select(func.count()).select_from(table).where(visible(table))


def _count_tagged(content_type: ContentType) -> Select[Any]:
    links = content_type.links
    tagged = select(func.count()).select_from(links).where(links.c.tag_id == tag_id())
    return tagged.where(links.c.item_id.not_in(hidden_ids(content_type.table)))


def tag_id() -> Any:
    """Return the id of the tag whose slug is ``tag``, or was before it was renamed."""
    tags, former = Tag.__table__.c, FormerTagSlug.__table__.c
    current = select(tags.id).where(tags.slug == bindparam("tag"))
    renamed = select(former.tag_id).where(former.slug == bindparam("tag"))
    return func.coalesce(current.scalar_subquery(), renamed.scalar_subquery())


def _joined(content_type: ContentType, page: Select[Any], listing: Listing) -> Select[Any]:
    """Join the texts of a page to one, as one row costs the driver less than many.

    :param page: the ids and positions of the items, which indexes alone can find.
    """
    ids, table = page.subquery(), content_type.table
    columns = [column.expression.label(column.name) for column in listing.joined]
    items = select(listing.listed.label("listed"), *columns)
    items = items.join_from(ids, table, table.c.id == ids.c.item_id)
    in_order = _order(ids.c.position, ids.c.item_id, descending=content_type.newest_first)
    rows = items.order_by(*in_order).subquery()
    join = func.group_concat if listing.dialect == "sqlite" else func.string_agg
    missing = func.count() - func.count(rows.c.listed)
    return select(join(_extended(rows, listing.joined), literal_column("','")), missing)


def _extended(rows: FromClause, joined: Sequence[Column]) -> ColumnElement[Any]:
    """Return the JSON of an item with its joined fields, which are JSON too."""
    listed = rows.c.listed
    if not joined:
        return listed
    extended: ColumnElement[Any] = func.substr(listed, 1, func.length(listed) - 1, type_=Text())
    for column in joined:
        value = func.coalesce(cast(rows.c[column.name], Text), "null", type_=Text())
        extended = extended.concat(f',"{column.name}":').concat(value)
    return extended.concat("}")


def _window(
    content_type: ContentType, page: Select[Any], item_id: Any, backwards: bool
) -> Select[Any]:
    descending = content_type.newest_first != backwards
    keys = _order(page.selected_columns.position, item_id, descending=descending)
    return page.order_by(*keys).limit(bindparam("limit")).offset(bindparam("offset"))


def _order(*keys: Any, descending: bool) -> list[Any]:
    return [key.desc() if descending else key.asc() for key in keys]
