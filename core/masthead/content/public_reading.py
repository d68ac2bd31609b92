"""What the public reads of a content type: prebuilt statements, all behind one predicate."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    FromClause,
    String,
    Text,
    bindparam,
    func,
    literal,
    literal_column,
    select,
    union_all,
)
from sqlalchemy.sql.selectable import Select

from masthead.content.contenttype import ContentType
from masthead.content.shapes import Shape, public_shape, related_shape
from masthead.content.visibility import NOW, hidden_ids, now_parameters, visible, visible_by_index
from masthead.db import Database
from masthead.errors import NotFound
from masthead.http.paging import Page, Totals, Window
from masthead.tags.models import Tag

RELATED = 3


class PublicReading:
    """The public outlets of a content type."""

    def __init__(self, content_type: ContentType, database: Database) -> None:
        dialect = database.dialect
        self._name = content_type.name
        self.list_shape = public_shape(content_type, dialect, detail=False)
        self.detail_shape = public_shape(content_type, dialect, detail=True)
        self.related_shape = related_shape(content_type)
        self._lists = {
            (upcoming, tagged): _List(content_type, self.list_shape, database, upcoming, tagged)
            for upcoming in ((False, True) if content_type.upcoming else (False,))
            for tagged in (False, True)
        }
        self._detail = _detail(content_type, self.detail_shape)
        self._related = _related(content_type, self.related_shape)

    def page(
        self,
        connection: Connection,
        window: Window,
        tag: str | None = None,
        totals: Totals | None = None,
        *,
        upcoming: bool = False,
    ) -> Page:
        """A part of the list.

        :param tag: the slug of the tag that items have.
        :param totals: the counts that hold at this time; gains this one.
        :param upcoming: whether what is past is left out, of a content type that knows what is.
        """
        wanted = self._lists[upcoming, tag is not None]
        known = now_parameters() | ({} if tag is None else {"tag": tag})
        total = (totals or Totals()).get(
            (self._name, tag, upcoming),
            lambda: int(connection.execute(wanted.count, known).scalar_one()),
        )
        bounds = {"limit": window.limit, "offset": window.offset}
        items, missing = wanted.kept.one(connection, known | bounds)
        if missing:
            items, _ = wanted.made.one(connection, known | bounds)
        return Page(f"[{items or ''}]".encode(), total)

    def one(self, connection: Connection, slug: str) -> dict[str, Any]:
        """One item.

        :raises NotFound: where the public sees none of that slug.
        """
        found = connection.execute(self._detail, now_parameters() | {"slug": slug}).all()
        if not found:
            raise NotFound
        return self.detail_shape.items(found)[0]

    def related(self, connection: Connection, item_id: int) -> list[dict[str, Any]]:
        """The items that share most with one; none where the public doesn't see that one."""
        found = connection.execute(self._related, now_parameters() | {"id": item_id}).all()
        return self.related_shape.items(found)


class _List:
    """The statements of one list: pages, by what is kept or made anew, and the number of items."""

    def __init__(
        self,
        content_type: ContentType,
        shape: Shape,
        database: Database,
        upcoming: bool,
        tagged: bool,
    ) -> None:
        kept, dialect = content_type.table.c.listed, database.dialect
        made = func.coalesce(kept, shape.json(dialect), type_=Text())
        pages, count = (tagged_statement, _count_tagged) if tagged else (list_statement, _count)
        rows = content_type.links if tagged else content_type.table
        conditions = [is_upcoming(rows)] if upcoming else []
        seen = visible(content_type.table)
        self.kept = database.prepare(pages(content_type, kept, dialect, seen, *conditions))
        self.made = database.prepare(pages(content_type, made, dialect, seen, *conditions))
        self.count = count(content_type).where(*conditions)


def list_statement(
    content_type: ContentType,
    listed: ColumnElement[str],
    dialect: str,
    seen: ColumnElement[bool],
    *conditions: ColumnElement[bool],
) -> Select[Any]:
    """The page of a list as one text, and how many items it lacks.

    :param listed: the item in the list, as JSON text.
    :param seen: whether the public sees an item: the predicate.
    """
    table = content_type.table
    statement = select(listed.label("listed")).select_from(table).where(seen, *conditions)
    return _joined(_window(statement, content_type, table.c.position, table.c.id), dialect)


def tagged_statement(
    content_type: ContentType,
    listed: ColumnElement[str],
    dialect: str,
    seen: ColumnElement[bool],
    *conditions: ColumnElement[bool],
) -> Select[Any]:
    """The same for the items of the tag whose slug is ``tag``."""
    links, table = content_type.links, content_type.table
    statement = (
        select(listed.label("listed"))
        .join_from(links, table, table.c.id == links.c.item_id)
        .where(links.c.tag_id == tag_id(), seen, *conditions)
    )
    page = _window(statement, content_type, links.c.position, links.c.item_id)
    return _joined(page, dialect)


def is_upcoming(rows: FromClause) -> ColumnElement[bool]:
    """Whether an item isn't past at ``NOW``, in the words of the index that the list walks.

    :param rows: the table of a content type with ``upcoming``, or its links to tags.
    """
    return rows.c.position >= NOW


def _count(content_type: ContentType) -> Select[Any]:
    table = content_type.table
    return select(func.count()).select_from(table).where(visible_by_index(table))


def _count_tagged(content_type: ContentType) -> Select[Any]:
    links = content_type.links
    tagged = select(func.count()).select_from(links).where(links.c.tag_id == tag_id())
    return tagged.where(links.c.item_id.not_in(hidden_ids(content_type.table)))


def _detail(content_type: ContentType, shape: Shape) -> Select[Any]:
    table = content_type.table
    return shape.select().where(table.c.slug == bindparam("slug"), visible(table))


def _related(content_type: ContentType, shape: Shape) -> Select[Any]:
    """Items ordered by how many tags, and related fields, they share with the one of ``:id``."""
    table, links = content_type.table, content_type.links
    this = table.alias("this")
    seen = select(this.c.id).where(this.c.id == bindparam("id"), visible(this))
    own_tags = select(links.c.tag_id).where(links.c.item_id == seen.scalar_subquery())
    shares = [select(links.c.item_id).where(links.c.tag_id.in_(own_tags))]
    for name in content_type.related_by:
        column, own = content_type.column(name), this.c[content_type.column(name).name]
        value = select(own).where(this.c.id == seen.scalar_subquery())
        if isinstance(own.type, String):
            value = value.where(own != "")
        shares.append(select(table.c.id.label("item_id")).where(column == value.scalar_subquery()))
    each = union_all(*shares).subquery()
    score = select(each.c.item_id, func.count().label("shared")).group_by(each.c.item_id).subquery()
    newest = content_type.column(content_type.date)
    return (
        shape.select()
        .join_from(score, table, table.c.id == score.c.item_id)
        .where(table.c.id != bindparam("id"), visible(table))
        .order_by(score.c.shared.desc(), newest.desc().nulls_last(), table.c.id.desc())
        .limit(literal(RELATED))
    )


def tag_id() -> Any:
    """The id of the tag whose slug is ``tag``."""
    return (
        select(Tag.__table__.c.id).where(Tag.__table__.c.slug == bindparam("tag")).scalar_subquery()
    )


def _joined(listings: Select[Any], dialect: str) -> Select[Any]:
    """The texts of a page as one, for rows are what costs a driver time; and how many it lacks."""
    rows = listings.subquery()
    join = func.group_concat if dialect == "sqlite" else func.string_agg
    missing = func.count() - func.count(rows.c.listed)
    return select(join(rows.c.listed, literal_column("','")), missing)


def _window(statement: Select[Any], content_type: ContentType, *keys: Any) -> Select[Any]:
    ordered = (key.desc() if content_type.newest_first else key.asc() for key in keys)
    window = statement.order_by(*ordered)
    return window.limit(bindparam("limit")).offset(bindparam("offset"))
