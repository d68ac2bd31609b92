"""Staff lists of a resource: filtered, searched, ordered and counted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import ColumnElement, Select, func, select
from sqlalchemy.orm import Session, defer

from masthead.http.paging import Page, Window
from masthead.references.filtering import refer
from masthead.resources.declaration import SEARCH, SORT, Resource
from masthead.resources.general_filters import general_conditions
from masthead.search.finder import Finder
from masthead.search.index import STAFF
from masthead.search.tokens import Query, parse_query


def list_items(
    session: Session, resource: Resource, window: Window, query: Mapping[str, Any]
) -> Page:
    """Return a page of the items that match a query.

    :param query: checked query parameters by name: filters and the words of a search.
    """
    words = query.get(SEARCH)
    search = parse_query(words) if words else None
    if words and search is None:
        return Page([], 0)
    selection = _Selection(session, resource, query)
    if search is not None:
        selection.search(session, search)
    total = selection.count(session)
    sort = query.get(SORT)
    ids = selection.ids(resource, window, sort)
    rows = select(resource.model).where(resource.model.id.in_(ids))
    in_order = rows.order_by(*resource.ordering(resource.model, resource.model.id, sort))
    return Page(_items(session, resource, in_order, selection.parameters), total)


class _Selection:
    """The items that match a query, selected from their table or from links to them."""

    def __init__(self, session: Session, resource: Resource, query: Mapping[str, Any]) -> None:
        custom = {name: it for name, it in resource.custom_filters.items() if name in query}
        through = next((it.through for it in custom.values() if it.through), None)
        attributes = {f.name: f.attribute for f in resource.fields}
        self.name = resource.name
        self.source: Any = through or resource.model
        self.id: Any = self.source.item_id if through else resource.model.id
        self.conditions: list[ColumnElement[bool]] = [
            getattr(self.source, attributes[name]) == query[name]
            for name in resource.filters
            if name in query
        ]
        for name, it in custom.items():
            first = (session,) if it.needs_session else ()
            self.conditions.append(it.condition(*first, self.source, query[name]))
        self.conditions += general_conditions(resource, self.source, self.id, query)
        self.conditions += refer(resource.name, resource.fields, self.id, query)
        self.parameters: dict[str, Any] = {}
        """The parameters of statements with the conditions."""
        self._total: int | None = None
        """The number of items if it is known already."""

    def search(self, session: Session, query: Query) -> None:
        """Select only the items that a search finds."""
        connection = session.connection()
        finder = Finder(self.name, connection.dialect.name, STAFF)
        self.parameters = finder.prepare(connection, query)
        hits = session.execute(finder.count(), self.parameters).scalar_one()
        # The index has a row for each item. Reading millions of items only to count them is slow.
        self._total = None if self.conditions else hits
        self.conditions.append(finder.is_one_of(self.id, hits))

    def count(self, session: Session) -> int:
        """Return the number of items."""
        if self._total is not None:
            return self._total
        counted = select(func.count()).select_from(self.source).where(*self.conditions)
        return session.scalar(counted, self.parameters) or 0

    def ids(self, resource: Resource, window: Window, sort: str | None) -> Select[Any]:
        """Return the statement that selects the ids of a part of the items."""
        ids = select(self.id).where(*self.conditions)
        ordered = ids.order_by(*resource.ordering(self.source, self.id, sort))
        return ordered.limit(window.limit).offset(window.offset)


def _items(
    session: Session, resource: Resource, rows: Select[Any], parameters: Mapping[str, Any]
) -> list[Any]:
    # Long texts that a list doesn't show aren't read for it.
    unlisted = [getattr(resource.model, f.attribute) for f in resource.fields if not f.listed]
    deferred = [defer(column, raiseload=True) for column in unlisted]
    return list(session.scalars(rows.options(*deferred), parameters))
