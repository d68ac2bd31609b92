"""The bodies and queries of a content type's endpoints, made from its fields."""

from __future__ import annotations

import colander

from masthead.content.bulk import OPERATIONS
from masthead.content.contenttype import ContentType
from masthead.content.taglinks import TAG_IDS
from masthead.resources.schemas import changes, new_values
from masthead.schemas.field_types import MAX_ID, Bool, Choice, Int, Str
from masthead.schemas.schema import ListOf, Object, optional, required, schema

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


def create_body(content_type: ContentType) -> colander.SchemaNode:
    """Return the body of a create; ``published`` is ignored, as every item begins as a draft."""
    further = {TAG_IDS: optional(_IDS, []), "published": optional(Bool(), False)}
    return schema(new_values(content_type.fields) | further)


def update_body(content_type: ContentType) -> colander.SchemaNode:
    """Return the body of an update: any field of a create, and the revision that was read."""
    return changes(create_body(content_type))
