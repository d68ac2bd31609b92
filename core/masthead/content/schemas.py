"""Bodies of the content endpoints, made from a content type's fields."""

from __future__ import annotations

from typing import Any

import colander

from masthead.content.bulk import OPERATIONS
from masthead.content.contenttype import ContentType
from masthead.content.staging import TAG_IDS
from masthead.http.ingress import MAX_QUERY
from masthead.schemas.field_types import MAX_ID, Bool, Choice, Int, Str
from masthead.schemas.schema import ListOf, Object, extended, optional, partial, required, schema

_IDS = ListOf(Int(1, MAX_ID), unique=True)
BULK_BODY = schema(
    {
        "operation": required(Choice(*OPERATIONS)),
        "ids": required(_IDS),
    }
)
BULK = schema(
    {
        "success": required(Bool()),
        "affected": required(Int()),
        "failed": required(
            ListOf(Object(schema({"id": required(Int()), "error": required(Str())})))
        ),
    }
)
SEARCH = {"search": optional(Str(min_length=0), nullable=False)}
UPCOMING = "upcoming"
STAFF_LIST_QUERY = schema(SEARCH)


def list_query(content_type: ContentType) -> colander.SchemaNode:
    """What narrows a public list."""
    # No tag's slug is longer than a query may be, and one that no tag has gives an empty list.
    query: dict[str, Any] = {
        "tag": optional(Str(MAX_QUERY, min_length=0), nullable=False),
        **SEARCH,
    }
    return schema(
        query | ({UPCOMING: optional(Bool(), nullable=False)} if content_type.upcoming else {})
    )


def create_body(content_type: ContentType) -> colander.SchemaNode:
    """What a create takes; ``published`` is read and ignored, as every item begins as a draft."""
    own = {
        f.name: required(f.kind) if f.required else optional(f.kind, nullable=False)
        for f in content_type.fields
    }
    return schema(own | {TAG_IDS: optional(_IDS, []), "published": optional(Bool(), False)})


def update_body(content_type: ContentType) -> colander.SchemaNode:
    """What an update takes: any of a create's fields, and the revision that was read."""
    return extended(partial(create_body(content_type)), {"etag": optional(Str())})
