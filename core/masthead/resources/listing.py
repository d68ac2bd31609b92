"""Lists of a resource: which items, in which order, and how many there are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session, defer

from masthead.paging import Page, Window
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
    conditions, total = asked.conditions, None
    if query is not None:
        found, total = _found(session, asked, query)
        conditions = [*conditions, found]
    if total is None:
        total = _count(session, asked, conditions)
    ids = select(asked.id).where(*conditions).order_by(*resource.ordering(asked.source, asked.id))
    return Page(_items(session, resource, ids.limit(window.limit).offset(window.offset)), total)


class _Asked:
    """What a query asks for, and of which table: the items', or links to them."""

    def __init__(self, resource: Resource, wanted: Mapping[str, Any]) -> None:
        narrowings = {name: it for name, it in resource.narrowings.items() if name in wanted}
        through = next((it.through for it in narrowings.values() if it.through), None)
        attributes = {f.name: f.attribute for f in resource.fields}
        self.name = resource.name
        self.source: Any = through or resource.model
        self.id: Any = self.source.item_id if through else resource.model.id
        self.conditions: list[ColumnElement[bool]] = [
            getattr(self.source, attributes[name]) == wanted[name]
            for name in resource.filters
            if name in wanted
        ]
        self.conditions += [it.condition(self.source, wanted[n]) for n, it in narrowings.items()]


def _found(session: Session, asked: _Asked, query: Query) -> tuple[ColumnElement[bool], int]:
    """The condition that items are found, and how many of those asked for are."""
    connection = session.connection()
    finder = Finder(asked.name, connection.dialect.name, STAFF)
    known = finder.prepare(connection, query)
    count = finder.count()
    hits = session.execute(count, known).scalar_one()
    found = finder.among(asked.id, walking=finder.walks(hits)).params(known)
    total = hits if not asked.conditions else _count(session, asked, [*asked.conditions, found])
    return found, total


def _count(session: Session, asked: _Asked, conditions: list[ColumnElement[bool]]) -> int:
    counted = select(func.count()).select_from(asked.source).where(*conditions)
    return session.scalar(counted) or 0


def _items(session: Session, resource: Resource, ids: Any) -> list[Any]:
    model = resource.model
    # Long texts that a list doesn't show aren't read for it.
    unlisted = [getattr(model, f.attribute) for f in resource.fields if not f.listed]
    shown = [defer(column, raiseload=True) for column in unlisted]
    rows = select(model).where(model.id.in_(ids)).order_by(*resource.ordering(model, model.id))
    return list(session.scalars(rows.options(*shown)))
