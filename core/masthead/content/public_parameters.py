"""The query parameters of public lists and items: filters, the order, and the fields to show."""

from __future__ import annotations

from typing import Any

import colander

from masthead.content.contenttype import ContentType
from masthead.content.period import STATES
from masthead.content.public_related import MOST_RELATED, RELATED_ITEMS
from masthead.content.schemas import SEARCH, UPCOMING
from masthead.content.shapes import UPDATED
from masthead.http.list_query import (
    FROM,
    LIMIT,
    RELATED,
    TO,
    WHEN,
    Names,
    Until,
    filters,
    presentation,
    sort_parameter,
)
from masthead.http.paging import TEXT_FILTER
from masthead.references.embedding import Embedding
from masthead.references.filtering import reference_filters
from masthead.schemas.field_types import Bool, Int, Timestamp
from masthead.schemas.fields import is_html
from masthead.schemas.schema import optional, schema
from masthead.schemas.shapes import Shape

CONTENT, TAGS = "content", "tags"
TAG_FILTER = optional(TEXT_FILTER, nullable=False, help="The slug of a tag of the items.")
_PERIOD = {
    WHEN: optional(
        Names(*STATES),
        nullable=False,
        help="Only the items that are in one of these states now.",
        example=["current", "upcoming"],
    ),
    FROM: optional(Timestamp(), nullable=False, help="Only the items that last at it or later."),
    TO: optional(
        Until(),
        nullable=False,
        help="Only the items that start before it, or on it for a date without a time.",
    ),
}


def list_query(
    content_type: ContentType, listed: Shape, detail: Shape, embedding: Embedding
) -> colander.SchemaNode:
    """Return the query of a public list.

    :param listed: the fields of an item in the list.
    :param detail: the fields of an item alone.
    :param embedding: the items that the answer can embed.
    """
    query: dict[str, Any] = {"tag": TAG_FILTER, **SEARCH}
    if content_type.upcoming:
        query[UPCOMING] = optional(Bool(), nullable=False, help="Whether to leave out past items.")
    if content_type.period is not None:
        query |= _PERIOD
    query |= {each.parameter: each.node for each in content_type.filters}
    query |= filters(has_ids=True, has_updates=True) | sort_parameter(sortable(content_type))
    query |= reference_filters(content_type.fields, public=True)
    return schema(query | _presentation(listed, detail) | embedding.parameter())


def detail_query(listed: Shape, detail: Shape, embedding: Embedding) -> colander.SchemaNode:
    """Return the query of an item alone, with the same parameters for its fields."""
    return schema(_presentation(listed, detail) | embedding.parameter())


def related_query(shape: Shape) -> colander.SchemaNode:
    """Return the query of a list of related items, with the number and the fields of these."""
    meaning = f"The maximum number of items, {RELATED_ITEMS} by default, at most {MOST_RELATED}."
    limit = optional(Int(1), nullable=False, help=meaning)
    has_html = any(is_html(column.kind) for column in shape.columns)
    return schema({LIMIT: limit} | presentation(shape.names, (), has_html=has_html))


def sortable(content_type: ContentType) -> tuple[str, ...]:
    """Return the fields that public lists can be sorted by."""
    return (*content_type.public_orders, UPDATED, "id")


def _presentation(listed: Shape, detail: Shape) -> dict[str, colander.SchemaNode]:
    further = [name for name in detail.names if name not in listed.names]
    # Clients may include the content and the tags in answers that have them anyway.
    includable = dict.fromkeys((CONTENT, *further, RELATED, TAGS))
    return presentation((*detail.names, RELATED), tuple(includable), has_html=True)
