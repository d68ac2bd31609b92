"""Filters of lists by the items that others refer to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import colander
from sqlalchemy import ColumnElement, select

from masthead.http.list_query import Ids
from masthead.instance import Instance
from masthead.references.fields import Reference, references_of
from masthead.references.models import ItemReference
from masthead.references.reading import seen_target
from masthead.schemas.fields import Field
from masthead.schemas.schema import optional

_TABLE: Any = ItemReference.__table__


def reference_filters(
    fields: Iterable[Field], *, public: bool = False
) -> dict[str, colander.SchemaNode]:
    """Return the query parameters of a list for the references of its items, by name.

    :param public: whether it is a public list, which filters by public fields only.
    """
    return {
        it.name: optional(
            _ids_of(it.target),
            nullable=False,
            help=f"Only the items whose `{it.name}` has one of these ids of `{it.target}`.",
        )
        for it in _filtering(fields, public=public)
    }


def _ids_of(target: str) -> Ids:
    kind = Ids()
    kind.target = target
    return kind


def refer_publicly(
    kind: str, fields: Iterable[Field], item_id: Any, query: Mapping[str, Any], instance: Instance
) -> Iterator[ColumnElement[bool]]:
    """Yield the conditions of the items of a public list that a query selects by references.

    An item that the public doesn't see selects nothing. Their statements take the time as ``NOW``.

    :param kind: the name of the content type or resource.
    :param item_id: the column with the ids of the items.
    """
    for reference in _filtering(fields, public=True):
        if reference.name in query:
            found = seen_target(reference, instance)
            wanted = _referring(kind, reference, query[reference.name]).where(_TABLE.c.live)
            if found is not None:
                rows, seen = found
                wanted = wanted.join(rows, rows.c.id == _TABLE.c.target_id).where(seen)
            yield item_id.in_(wanted if found is not None else [])


def refer(
    kind: str, fields: Iterable[Field], item_id: Any, query: Mapping[str, Any]
) -> Iterator[ColumnElement[bool]]:
    """Yield the conditions of the items of a staff list that a query selects by references.

    :param kind: the name of the content type or resource.
    :param item_id: the column with the ids of the items.
    """
    for reference in _filtering(fields, public=False):
        if reference.name in query:
            wanted = _referring(kind, reference, query[reference.name])
            yield item_id.in_(wanted.where(_TABLE.c.shown))


def filter_key(fields: Iterable[Field], query: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the part of a query that selects items by references, for the key of their number."""
    return tuple(query.get(it.name) for it in references_of(fields))


def _filtering(fields: Iterable[Field], *, public: bool) -> Iterator[Reference]:
    yield from (it for it in references_of(fields) if it.field.public or not public)


def _referring(kind: str, reference: Reference, ids: Iterable[int]) -> Any:
    columns = _TABLE.c
    return select(columns.item_id).where(
        columns.target == reference.target,
        columns.target_id.in_(ids),
        columns.kind == kind,
        columns.field == reference.name,
    )
