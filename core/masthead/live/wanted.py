"""Reads the items and the content types that a client follows from its query."""

from __future__ import annotations

import re
from typing import Any

from masthead.errors import Forbidden, ProblemCode, wrong_field
from masthead.http.paging import TEXT_FILTER
from masthead.http.request import Request
from masthead.live.states import Item, States, Wanted
from masthead.schemas.schema import optional, schema

_MOST_ITEMS = 100
_ITEM = re.compile(r"([a-z][a-z0-9-]*):([1-9][0-9]{0,17})")
QUERY = schema(
    {
        "watch": optional(
            TEXT_FILTER,
            nullable=False,
            help="Items to follow, as types and ids with commas between them.",
            example="news:7,events:3",
        ),
        "types": optional(
            TEXT_FILTER,
            nullable=False,
            help="Content types to follow, with commas between them.",
            example="news,events",
        ),
        "lastEventId": optional(
            TEXT_FILTER,
            nullable=False,
            help="The id of the last event, as a browser may not send the header to other origins.",
        ),
    }
)


def read_wanted(request: Request, states: States) -> Wanted:
    """Return the items and content types that the query asks for.

    :raises Invalid: for an unknown type, or text that isn't a list of items.
    :raises Forbidden: for a type that the caller may not read.
    """
    items, types = _items(request, states), frozenset(_parts(request.query, "types"))
    if types - states.types:
        message = f"Must be some of {', '.join(sorted(states.types))}"
        raise wrong_field("types", ProblemCode.NOT_AN_OPTION, message)
    for name in types.union(name for name, _ in items):
        if not request.identity.may(states.permissions[name]):
            raise Forbidden
    return Wanted(request.identity.id, items, types)


def _items(request: Request, states: States) -> frozenset[Item]:
    parts = _parts(request.query, "watch")
    named = [found for each in parts if (found := _ITEM.fullmatch(each))]
    items = {(each[1], int(each[2])) for each in named if each[1] in states.items}
    if len(named) < len(parts) or not states.items.issuperset(each[1] for each in named):
        message = "Must be items such as news:7, separated by commas"
        raise wrong_field("watch", ProblemCode.WRONG_FORM, message)
    if len(items) > _MOST_ITEMS:
        message = f"At most {_MOST_ITEMS} items"
        raise wrong_field("watch", ProblemCode.TOO_MANY, message, limit=_MOST_ITEMS)
    return frozenset(items)


def _parts(query: dict[str, Any], name: str) -> list[str]:
    return [part for each in query.get(name, "").split(",") if (part := each.strip())]
