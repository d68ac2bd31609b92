"""Finding the items of a content type: the part that statements of the kit are completed with."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Connection, func, select, true
from sqlalchemy.sql.selectable import Select, SelectBase

from masthead.search.index import index_of
from masthead.search.tokens import Query

MOST_DRIVEN = 2_000
"""How many items found are looked up one by one and sorted.

For more, the list's order is walked until the page is full: of common words it soon is.
"""


class Finder:
    """Finds the items of a content type for the public or for staff.

    :param content_type: its name.
    :param readers: ``PUBLIC`` or ``STAFF``.
    """

    def __init__(self, content_type: str, dialect: str, readers: tuple[int, int]) -> None:
        self._index = index_of(dialect)
        self._hits = self._index.select_hits(content_type, readers)

    def prepare(self, connection: Connection, query: Query) -> dict[str, Any]:
        """Make a connection ready to search, and return what its statements need to know."""
        if self._index.plan is not None:
            connection.execute(self._index.plan)
        return {"match": self._index.as_match(query), "runs": self._index.as_runs(query.runs)}

    def walks(self, total: int) -> bool:
        """Whether a list is to be asked for what is found in the way that is called walking.

        :param total: how many items are found.
        """
        return MOST_DRIVEN < total <= self._index.most_walked

    def among(self, column: ColumnElement[int], *, walking: bool) -> ColumnElement[bool]:
        """Whether the item whose id stands in ``column`` is found.

        :param walking: whether rows are asked for it one after the other, instead of being looked
            up by what was found.
        """
        found = column.in_(self._hits)
        # No planner looks for a way into a table in what is true or not.
        return found.is_(true()) if walking else found

    def among_links(self, column: ColumnElement[int]) -> ColumnElement[bool]:
        """The same of an id in links of a tag.

        Nobody knows beforehand whether the tag or the words are rarer; the index of the tag's
        links is small beside the items.
        """
        return self.among(column, walking=self._index.hints)

    def count(self, but: SelectBase | None = None) -> Select[Any]:
        """The number of items found, without those whose ids ``but`` selects."""
        hits = self._hits.subquery()
        counted = select(func.count()).select_from(hits)
        return counted if but is None else counted.where(hits.c.item_id.not_in(but))
