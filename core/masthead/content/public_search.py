"""What the public finds of a content type: the list, behind the same predicate, by words."""

from __future__ import annotations

from sqlalchemy import Connection, Text, func, select

from masthead.content.contenttype import ContentType
from masthead.content.public_reading import list_statement, tag_id, tagged_statement
from masthead.content.shapes import public_shape
from masthead.content.visibility import hidden_ids, now_parameters
from masthead.db import Database
from masthead.paging import Page, Totals, Window
from masthead.search.finding import MOST_DRIVEN, Finder
from masthead.search.index import PUBLIC
from masthead.search.tokens import parse_query


class PublicSearch:
    """The search in the public list of a content type."""

    def __init__(self, content_type: ContentType, database: Database) -> None:
        dialect, table, links = database.dialect, content_type.table, content_type.links
        shape = public_shape(content_type, dialect, detail=False)
        listed = func.coalesce(table.c.listed, shape.json(dialect), type_=Text())
        self._name = content_type.name
        self._finder = finder = Finder(content_type.name, dialect, PUBLIC)
        driven = finder.among(table.c.id, walking=False)
        self._driven = database.prepare(list_statement(content_type, listed, dialect, driven))
        walked = finder.among(table.c.id, walking=True)
        self._walked = database.prepare(list_statement(content_type, listed, dialect, walked))
        # Nobody knows beforehand whether the tag or the words are rarer; the index of the tag's
        # links is small beside the items.
        tagged = finder.among(links.c.item_id, walking=True)
        self._tagged = database.prepare(tagged_statement(content_type, listed, dialect, tagged))
        self._count = finder.count(but=hidden_ids(table))
        self._count_tagged = (
            select(func.count())
            .select_from(links)
            .where(links.c.tag_id == tag_id(), tagged, links.c.item_id.not_in(hidden_ids(table)))
        )

    def page(
        self,
        connection: Connection,
        window: Window,
        words: str,
        tag: str | None,
        totals: Totals | None,
    ) -> Page:
        """A part of the list of what is found by ``words``, of one tag where a slug is given.

        :param totals: the counts that hold at this time; gains this one.
        """
        query = parse_query(words)
        if query is None:
            return Page(b"[]", 0)
        known = now_parameters() | self._finder.prepare(connection, query)
        if tag is not None:
            known["tag"] = tag
        count = self._count if tag is None else self._count_tagged
        total = (totals or Totals()).get(
            (self._name, tag, query), lambda: int(connection.execute(count, known).scalar_one())
        )
        untagged = self._walked if total > MOST_DRIVEN else self._driven
        statement = untagged if tag is None else self._tagged
        bounds = {"limit": window.limit, "offset": window.offset}
        items, _ = statement.one(connection, known | bounds)
        return Page(f"[{items or ''}]".encode(), total)
