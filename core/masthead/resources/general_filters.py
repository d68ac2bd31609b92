"""The filters that the staff lists of all resources have, as far as their columns exist."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import ColumnElement, select

from masthead.resources.declaration import UPDATED_SINCE, Resource
from masthead.resources.options import Filter
from masthead.schemas.field_types import MAX_ID, Int, Timestamp

CREATED_BY = "created_by"


def general_filters(resource: Resource) -> dict[str, Filter]:
    """Return the filters by the names of their parameters, without those that it declares."""
    columns, found = resource.model.__table__.c, {UPDATED_SINCE: _UPDATED_SINCE}
    if CREATED_BY in columns and columns[CREATED_BY].foreign_keys:
        found[CREATED_BY] = _HAS_CREATOR
    declared = {*resource.filters, *resource.custom_filters}
    return {resource.wire(n): it for n, it in found.items() if resource.wire(n) not in declared}


def general_conditions(
    resource: Resource, source: Any, item_id: Any, query: Mapping[str, Any]
) -> Iterator[ColumnElement[bool]]:
    """Yield the conditions of a checked query.

    :param source: the mapped class to select from: the model, or one of links to items.
    :param item_id: its column with the ids of the items.
    """
    for name, it in general_filters(resource).items():
        if name in query:
            condition = it.condition(resource.model, query[name])
            chosen = select(resource.model.id).where(condition)
            yield condition if source is resource.model else item_id.in_(chosen)


_UPDATED_SINCE = Filter(
    Timestamp().described("Only items that changed at this time or later."),
    lambda model, time: model.updated_at >= time,
)
_HAS_CREATOR = Filter(
    Int(1, MAX_ID).described("Only items that the user with this id created."),
    lambda model, user_id: model.created_by == user_id,
)
