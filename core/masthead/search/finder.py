"""Search conditions for the list statements of content types and resources."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Connection, any_, func, select, true
from sqlalchemy.sql.selectable import Select, SelectBase

from masthead.search.index import index_of
from masthead.search.tokens import Query

MAX_HIT_SCAN = 2_000
"""The number of hits up to which a list looks up each hit and sorts the items.

With more hits, an order scan reads the items in the list's order and tests each of them until the
page is full, which is soon the case for a common word.
"""


class Finder:
    """The search among the items of a content type or resource, for the public or for staff.

    :param content_type: the name of the content type or resource.
    :param readers: ``PUBLIC`` or ``STAFF``.
    """

    def __init__(self, content_type: str, dialect: str, readers: tuple[int, int]) -> None:
        self._index = index_of(dialect)
        self._hits = self._index.select_hits(content_type, readers)

    def prepare(self, connection: Connection, query: Query) -> dict[str, Any]:
        """Set a connection's planner options for a search, and return the search's parameters."""
        if self._index.planner_options is not None:
            connection.execute(self._index.planner_options)
        return {
            "match": self._index.as_match(query),
            "substrings": self._index.as_substrings(query.substrings),
        }

    def uses_order_scan(self, hits: int) -> bool:
        """Whether a list of that many hits is read by an order scan instead of a hit scan."""
        return MAX_HIT_SCAN < hits <= self._index.max_order_scan

    def is_hit(self, column: ColumnElement[int], *, order_scan: bool) -> ColumnElement[bool]:
        """Return the condition that the item whose id is in ``column`` is found.

        :param order_scan: whether the statement tests items in the list's order, instead of
            looking up the hits.
        """
        found = column.in_(self._hits)
        # A planner can't look up rows by a truth value, so it keeps to the list's order.
        return found.is_(true()) if order_scan else found

    def is_one_of(self, column: ColumnElement[int], hits: int) -> ColumnElement[bool]:
        """Return the condition that the item whose id is in ``column`` is one of some hits.

        :param hits: the number of hits, which decides between an order scan and a hit scan.
        """
        if hits <= MAX_HIT_SCAN and not self._index.needs_hints:
            # PostgreSQL expects at least one of two thousand items to have a rare word, and would
            # test millions of them in their order. It looks up the items of an array.
            return column == any_(func.array(self._hits.scalar_subquery()))
        return self.is_hit(column, order_scan=self.uses_order_scan(hits))

    def is_linked_hit(self, column: ColumnElement[int]) -> ColumnElement[bool]:
        """Return the condition that the item of a link to a tag is found.

        Whether the tag or the words are rarer isn't known beforehand. Testing each link of the tag
        is quick, as their index is small compared with the items.
        """
        return self.is_hit(column, order_scan=self._index.needs_hints)

    def count(self, but: SelectBase | None = None) -> Select[Any]:
        """Return the statement that counts the hits.

        :param but: selects the ids of items to leave out.
        """
        hits = self._hits.subquery()
        counted = select(func.count()).select_from(hits)
        return counted if but is None else counted.where(hits.c.item_id.not_in(but))
