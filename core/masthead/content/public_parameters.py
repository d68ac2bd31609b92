"""The query parameters of public lists and items: filters, the order, and the fields to show."""

from __future__ import annotations

from typing import Any

import colander

from masthead.content.contenttype import ContentType
from masthead.content.period import STATES
from masthead.content.schemas import SEARCH, UPCOMING
from masthead.content.shapes import UPDATED
from masthead.http.list_query import (
    ABSOLUTE,
    FIELDS,
    FROM,
    HTML,
    IDS,
    INCLUDE,
    RELATED,
    SORT,
    TO,
    UPDATED_SINCE,
    WHEN,
    Ids,
    Names,
    Sort,
    Until,
)
from masthead.http.paging import TEXT_FILTER
from masthead.schemas.field_types import Bool, Choice, Timestamp
from masthead.schemas.schema import optional, schema
from masthead.schemas.shapes import Shape

CONTENT, TAGS = "content", "tags"


def list_query(content_type: ContentType, listed: Shape, detail: Shape) -> colander.SchemaNode:
    """Return the query of a public list.

    :param listed: the fields of an item in the list.
    :param detail: the fields of an item alone.
    """
    query: dict[str, Any] = {"tag": optional(TEXT_FILTER, nullable=False), **SEARCH}
    if content_type.upcoming:
        query[UPCOMING] = optional(Bool(), nullable=False)
    if content_type.period is not None:
        query |= {
            WHEN: optional(Names(*STATES), nullable=False),
            FROM: optional(Timestamp(), nullable=False),
            TO: optional(Until(), nullable=False),
        }
    query |= {
        IDS: optional(Ids(), nullable=False),
        UPDATED_SINCE: optional(Timestamp(), nullable=False),
        SORT: optional(Sort(sortable(content_type)), nullable=False),
    }
    return schema(query | _presentation(listed, detail))


def detail_query(listed: Shape, detail: Shape) -> colander.SchemaNode:
    """Return the query of an item alone, with the same parameters for its fields."""
    return schema(_presentation(listed, detail))


def sortable(content_type: ContentType) -> tuple[str, ...]:
    """Return the fields that public lists can be sorted by."""
    return (*content_type.public_orders, UPDATED, "id")


def _presentation(listed: Shape, detail: Shape) -> dict[str, colander.SchemaNode]:
    """Return the parameters for the fields of an answer and the form of its HTML."""
    further = [name for name in detail.names if name not in listed.names]
    # Clients may include the content and the tags in answers that have them anyway.
    includable = dict.fromkeys((CONTENT, *further, RELATED, TAGS))
    return {
        INCLUDE: optional(Names(*includable), nullable=False),
        FIELDS: optional(Names(*detail.names, RELATED), nullable=False),
        HTML: optional(Choice(ABSOLUTE), nullable=False),
    }
