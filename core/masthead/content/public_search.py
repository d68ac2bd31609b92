"""The public search in a content type, with the same predicate as its lists."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, Text, func, select

from masthead.content.contenttype import ContentType
from masthead.content.public_reading import (
    Listing,
    PublicReading,
    is_upcoming,
    list_statement,
    tag_id,
    tagged_statement,
)
from masthead.content.visibility import hidden_ids, now_parameters, visible
from masthead.db import Database
from masthead.http.paging import Page, Totals, Window
from masthead.schemas.shapes import Shape
from masthead.search.finder import Finder
from masthead.search.index import PUBLIC
from masthead.search.tokens import parse_query


class PublicSearch:
    """The search in the public list of a content type."""

    def __init__(
        self, content_type: ContentType, database: Database, reading: PublicReading
    ) -> None:
        self._name = content_type.name
        self._reading = reading
        self._finder = Finder(content_type.name, database.dialect, PUBLIC)
        self._lists = {
            upcoming: _List(content_type, self._finder, database, reading.shape, upcoming)
            for upcoming in ((False, True) if content_type.upcoming else (False,))
        }

    def page(
        self,
        connection: Connection,
        window: Window,
        words: str,
        tag: str | None,
        totals: Totals | None,
        *,
        upcoming: bool = False,
    ) -> Page:
        """Return a page of the items that the search ``words`` finds.

        :param tag: the slug of a tag that the items have.
        :param totals: the counts that are still valid; this count is added to them.
        :param upcoming: whether to leave out past items, of a content type with ``upcoming``.
        """
        query = parse_query(words)
        if query is None:
            return Page(b"[]", 0)
        statements = self._lists[upcoming]
        parameters = now_parameters() | self._finder.prepare(connection, query)
        if tag is not None:
            parameters["tag"] = tag
        count = statements.count if tag is None else statements.count_tagged
        total = (totals or Totals()).get(
            (self._name, tag, query, upcoming),
            lambda: int(connection.execute(count, parameters).scalar_one()),
        )
        if tag is not None:
            statement = statements.tagged
        elif self._finder.uses_order_scan(total):
            statement = statements.order_scan
        else:
            statement = statements.hit_scan
        parameters |= {"limit": window.limit, "offset": window.offset}
        items, _ = statement.one(connection, parameters)
        return Page(self._reading.encode(connection, items), total)


class _List:
    """The statements of one search: pages of the items that it finds, and their total."""

    def __init__(
        self,
        content_type: ContentType,
        finder: Finder,
        database: Database,
        shape: Shape,
        upcoming: bool,
    ) -> None:
        dialect, table, links = database.dialect, content_type.table, content_type.links
        listed = func.coalesce(table.c.listed, shape.stored().json(dialect), type_=Text())
        listing = Listing(listed, shape.joined, dialect)
        conditions = [is_upcoming(table)] if upcoming else []
        seen = visible(table)
        hits = (seen, finder.is_hit(table.c.id, order_scan=False), *conditions)
        in_order = (seen, finder.is_hit(table.c.id, order_scan=True), *conditions)
        tagged = [finder.is_linked_hit(links.c.item_id)]
        if upcoming:
            tagged.append(is_upcoming(links))
        self.hit_scan = database.prepare(list_statement(content_type, listing, *hits))
        self.order_scan = database.prepare(list_statement(content_type, listing, *in_order))
        self.tagged = database.prepare(tagged_statement(content_type, listing, seen, *tagged))
        self.count = (
            select(func.count()).select_from(table).where(*hits)
            if upcoming
            else finder.count(but=hidden_ids(table))
        )
        self.count_tagged = count_tagged(content_type, *tagged)


def count_tagged(content_type: ContentType, *conditions: ColumnElement[bool]) -> Select[Any]:
    """Return the statement that counts the visible items with the tag whose slug is ``tag``.

    :param conditions: further conditions on the links.
    """
    links, hidden = content_type.links, hidden_ids(content_type.table)
    tagged = select(func.count()).select_from(links).where(links.c.tag_id == tag_id(), *conditions)
    return tagged.where(links.c.item_id.not_in(hidden))
