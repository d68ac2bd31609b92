"""What the public finds of a content type: the list, behind the same predicate, by words."""

from __future__ import annotations

from sqlalchemy import Connection, Text, func, select

from masthead.content.contenttype import ContentType
from masthead.content.public_reading import (
    is_upcoming,
    list_statement,
    tag_id,
    tagged_statement,
)
from masthead.content.shapes import public_shape
from masthead.content.visibility import hidden_ids, now_parameters, visible
from masthead.db import Database
from masthead.http.paging import Page, Totals, Window
from masthead.search.finding import Finder
from masthead.search.index import PUBLIC
from masthead.search.tokens import parse_query


class PublicSearch:
    """The search in the public list of a content type."""

    def __init__(self, content_type: ContentType, database: Database) -> None:
        self._name = content_type.name
        self._finder = Finder(content_type.name, database.dialect, PUBLIC)
        self._lists = {
            upcoming: _List(content_type, self._finder, database, upcoming)
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
        """A part of the list of what is found by ``words``.

        :param tag: the slug of the tag that items have.
        :param totals: the counts that hold at this time; gains this one.
        :param upcoming: whether what is past is left out, of a content type that knows what is.
        """
        query = parse_query(words)
        if query is None:
            return Page(b"[]", 0)
        wanted = self._lists[upcoming]
        known = now_parameters() | self._finder.prepare(connection, query)
        if tag is not None:
            known["tag"] = tag
        count = wanted.count if tag is None else wanted.count_tagged
        total = (totals or Totals()).get(
            (self._name, tag, query, upcoming),
            lambda: int(connection.execute(count, known).scalar_one()),
        )
        untagged = wanted.walked if self._finder.walks(total) else wanted.driven
        statement = untagged if tag is None else wanted.tagged
        bounds = {"limit": window.limit, "offset": window.offset}
        items, _ = statement.one(connection, known | bounds)
        return Page(f"[{items or ''}]".encode(), total)


class _List:
    """The statements of one list of what is found: its pages, and the number of items."""

    def __init__(
        self, content_type: ContentType, finder: Finder, database: Database, upcoming: bool
    ) -> None:
        dialect, table, links = database.dialect, content_type.table, content_type.links
        shape = public_shape(content_type, dialect, detail=False)
        listed = func.coalesce(table.c.listed, shape.json(dialect), type_=Text())
        conditions = [is_upcoming(table)] if upcoming else []
        seen = visible(table)
        driven = (seen, finder.among(table.c.id, walking=False), *conditions)
        walked = (seen, finder.among(table.c.id, walking=True), *conditions)
        tagged = [finder.among_links(links.c.item_id)]
        if upcoming:
            tagged.append(is_upcoming(links))
        self.driven = database.prepare(list_statement(content_type, listed, dialect, *driven))
        self.walked = database.prepare(list_statement(content_type, listed, dialect, *walked))
        self.tagged = database.prepare(
            tagged_statement(content_type, listed, dialect, seen, *tagged)
        )
        self.count = (
            select(func.count()).select_from(table).where(*driven)
            if upcoming
            else finder.count(but=hidden_ids(table))
        )
        self.count_tagged = (
            select(func.count())
            .select_from(links)
            .where(links.c.tag_id == tag_id(), *tagged, links.c.item_id.not_in(hidden_ids(table)))
        )
