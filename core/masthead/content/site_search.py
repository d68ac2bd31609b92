"""The search in all types at once: ranked, with snippets, and counted by type."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, select

from masthead.content.contenttype import ContentType, content_types_of
from masthead.content.public_reading import tag_id
from masthead.content.public_search import count_tagged
from masthead.content.ranking import Hit, rank_of
from masthead.content.resource_search import ResourceSearch
from masthead.content.shapes import DIR, LANG, public_shape
from masthead.content.snippets import MOST_CHARACTERS, snippet
from masthead.content.visibility import hidden_ids, now_parameters, seen_since, visible
from masthead.db import wire_time
from masthead.html.plain import plain_text
from masthead.http.addresses import item_address
from masthead.http.images import image_names
from masthead.http.paging import Totals, Window
from masthead.instance import Instance
from masthead.search.finder import Finder
from masthead.search.index import PUBLIC
from masthead.search.tokens import Query, parse_query

MOST_RANKED = 1_000
"""The number of hits up to which they are ranked; more are ordered by date."""
_TEXTS = ("description", "content")


class Found(NamedTuple):
    """A part of the hits of a search."""

    items: list[dict[str, Any]]
    counts: dict[str, int]
    """The number of hits of each type, by name."""
    total: int
    """The number of hits of the chosen types."""


class SiteSearch:
    """The search in all content types and public resources of an instance."""

    def __init__(self, instance: Instance) -> None:
        self._types: dict[str, _TypeSearch | ResourceSearch] = {
            it.name: _TypeSearch(it, instance) for it in content_types_of(instance)
        }
        searched = (it for it in instance.resources.values() if it.in_site_search)
        self._types |= {it.name: ResourceSearch(it, instance) for it in searched}
        self.names = tuple(self._types)

    def find(
        self,
        connection: Connection,
        window: Window,
        words: str,
        types: Collection[str],
        tag: str | None,
        totals: Totals | None,
    ) -> Found:
        """Return the hits of a search, the highest rank first, then the newest.

        :param types: the names of the types to search in; none for all of them.
        :param tag: the slug of a tag that the items have.
        :param totals: the counts that are still valid; these counts are added to them.
        """
        query = parse_query(words)
        if query is None:
            return Found([], dict.fromkeys(self._types, 0), 0)
        counts = {
            name: search.count(connection, query, tag, totals)
            for name, search in self._types.items()
        }
        chosen = [name for name, count in counts.items() if count and (not types or name in types)]
        total = sum(counts[name] for name in chosen)
        is_ranked = total <= MOST_RANKED
        last = MOST_RANKED if is_ranked else window.offset + window.limit
        hits = [
            hit
            for name in chosen
            for hit in self._types[name].hits(
                connection, query, tag, counts[name], last, is_ranked=is_ranked
            )
        ]
        hits.sort(key=lambda hit: (hit.rank, hit.date, hit.type, hit.id), reverse=True)
        page = hits[window.offset : window.offset + window.limit]
        return Found(self._describe(connection, page, query), counts, total)

    def _describe(
        self, connection: Connection, hits: Sequence[Hit], query: Query
    ) -> list[dict[str, Any]]:
        """Return the answer's objects, read by one statement per type."""
        read = {
            (name, item["id"]): item
            for name in {hit.type for hit in hits}
            for item in self._types[name].describe(
                connection, [hit.id for hit in hits if hit.type == name], query
            )
        }
        return [
            {**read[hit.type, hit.id], "rank": round(hit.rank, 3), "date": hit.date}
            for hit in hits
            if (hit.type, hit.id) in read
        ]


class _TypeSearch:
    """The search in one content type."""

    def __init__(self, content_type: ContentType, instance: Instance) -> None:
        dialect = instance.database.dialect
        self._content_type, self._table = content_type, content_type.table
        table = content_type.table
        self._settings = instance.settings
        self._finder = Finder(content_type.name, dialect, PUBLIC)
        shape = public_shape(content_type, instance, detail=True)
        self._image = _image_of(content_type)
        public = {f.name for f in content_type.fields if f.public}
        self._shape = shape.only({"id", "slug", "title", LANG, DIR, *_TEXTS, self._image})
        is_public = content_type.date in public
        self._date = content_type.columns[content_type.date] if is_public else seen_since(table)
        is_order = content_type.order.removeprefix("-") == content_type.date
        # A copy with an index.
        self._order = table.c.position if is_public and is_order else self._date
        self._count = self._finder.count(but=hidden_ids(table))
        linked = self._finder.is_linked_hit(content_type.links.c.item_id)
        self._count_tagged = count_tagged(content_type, linked)

    def count(
        self, connection: Connection, query: Query, tag: str | None, totals: Totals | None
    ) -> int:
        """Return the number of hits, which is that of the search in the type's list."""
        parameters: dict[str, Any] = now_parameters() | self._finder.prepare(connection, query)
        counted = self._count if tag is None else self._count_tagged
        if tag is not None:
            parameters["tag"] = tag
        return (totals or Totals()).get(
            (self._content_type.name, tag, query, False),
            lambda: int(connection.execute(counted, parameters).scalar_one()),
        )

    def hits(
        self,
        connection: Connection,
        query: Query,
        tag: str | None,
        count: int,
        most: int,
        *,
        is_ranked: bool,
    ) -> Iterable[Hit]:
        """Yield the newest hits, ranked or with the rank 0.

        :param count: the number of hits.
        :param most: the maximum number of hits to yield.
        """
        table, name = self._table, self._content_type.name
        parameters: dict[str, Any] = now_parameters() | self._finder.prepare(connection, query)
        in_order = tag is None and self._finder.uses_order_scan(count)
        found = self._finder.is_hit(table.c.id, order_scan=in_order)
        columns = (table.c.id, wire_time(self._date), table.c.title, table.c.description)
        hits = select(*columns).where(visible(table), found)
        if tag is not None:
            links = self._content_type.links
            tagged = select(links.c.item_id).where(links.c.tag_id == tag_id())
            hits = hits.where(table.c.id.in_(tagged))
            parameters["tag"] = tag
        newest = hits.order_by(self._order.desc(), table.c.id.desc()).limit(most)
        for item_id, date, title, description in connection.execute(newest, parameters):
            rank = rank_of(query, title, description or "") if is_ranked else 0.0
            yield Hit(rank, date or "", name, item_id)

    def describe(
        self, connection: Connection, ids: Collection[int], query: Query
    ) -> Iterable[dict[str, Any]]:
        """Yield the answer's objects for some hits, without rank and date."""
        found = self._shape.select().where(self._table.c.id.in_(ids), visible(self._table))
        for item in self._shape.items(connection.execute(found, now_parameters()).all()):
            yield {
                "type": self._content_type.name,
                "id": item["id"],
                "slug": item["slug"],
                "title": item["title"],
                "url": item_address(self._settings, self._content_type.name, item["slug"]),
                "snippet": snippet(self._text(item), query),
                "image": item.get(self._image),
                LANG: item[LANG],
                DIR: item[DIR],
            }

    def _text(self, item: Mapping[str, Any]) -> str:
        """Return the text that a snippet is a part of, also if a word stands in another field."""
        content = (item["content"] or "")[:MOST_CHARACTERS]
        return f"{item['description'] or ''}\n{plain_text(content)}"


def _image_of(content_type: ContentType) -> str:
    """Return the name of the first image of the items; blank if they have none."""
    feed = content_type.feed
    names = image_names(content_type.fields, (feed.image,) if feed else ())
    preferred = names.get(feed.image) if feed else None
    return preferred or next(iter(names.values()), "")
