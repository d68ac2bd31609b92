"""Lists of a resource: which items, in which order, and how many there are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import ColumnElement, Select, func, select
from sqlalchemy.orm import Session, defer

from masthead.http.paging import Page, Window
from masthead.resources.declaration import SEARCH, Resource
from masthead.search.finding import Finder
from masthead.search.index import STAFF
from masthead.search.tokens import Query, parse_query


def list_items(
    session: Session, resource: Resource, window: Window, wanted: Mapping[str, Any]
) -> Page:
    """A page of the items.

    :param wanted: checked query parameters by name: values that the items have to have, and words.
    """
    words = wanted.get(SEARCH)
    query = parse_query(words) if words else None
    if words and query is None:
        return Page([], 0)
    asked = _Asked(resource, wanted)
    if query is not None:
        asked.search(session, query)
    total = asked.count(session)
    return Page(_items(session, resource, asked.ids(resource, window), asked.known), total)


class _Asked:
    """What a query asks for, and of which table: the items', or links to them."""

    def __init__(self, resource: Resource, wanted: Mapping[str, Any]) -> None:
        custom_filters = {
            name: it for name, it in resource.custom_filters.items() if name in wanted
        }
        through = next((it.through for it in custom_filters.values() if it.through), None)
        attributes = {f.name: f.attribute for f in resource.fields}
        self.name = resource.name
        self.source: Any = through or resource.model
        self.id: Any = self.source.item_id if through else resource.model.id
        self.conditions: list[ColumnElement[bool]] = [
            getattr(self.source, attributes[name]) == wanted[name]
            for name in resource.filters
            if name in wanted
        ]
        self.conditions += [
            it.condition(self.source, wanted[n]) for n, it in custom_filters.items()
        ]
        self.known: dict[str, Any] = {}
        """What statements with the conditions have to be given."""

    def search(self, session: Session, query: Query) -> None:
        """Ask for what is found only."""
        connection = session.connection()
        finder = Finder(self.name, connection.dialect.name, STAFF)
        self.known = finder.prepare(connection, query)
        hits = session.execute(finder.count(), self.known).scalar_one()
        self.conditions.append(finder.among(self.id, walking=finder.walks(hits)))

    def count(self, session: Session) -> int:
        """How many items it is."""
        counted = select(func.count()).select_from(self.source).where(*self.conditions)
        return session.scalar(counted, self.known) or 0

    def ids(self, resource: Resource, window: Window) -> Select[Any]:
        """The ids of a part of them."""
        ids = select(self.id).where(*self.conditions)
        ordered = ids.order_by(*resource.ordering(self.source, self.id))
        return ordered.limit(window.limit).offset(window.offset)


def _items(
    session: Session, resource: Resource, ids: Select[Any], known: Mapping[str, Any]
) -> list[Any]:
    model = resource.model
    # Long texts that a list doesn't show aren't read for it.
    unlisted = [getattr(model, f.attribute) for f in resource.fields if not f.listed]
    shown = [defer(column, raiseload=True) for column in unlisted]
    rows = select(model).where(model.id.in_(ids)).order_by(*resource.ordering(model, model.id))
    return list(session.scalars(rows.options(*shown), known))
