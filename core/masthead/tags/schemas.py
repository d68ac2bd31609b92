"""Bodies and answers of the tag endpoints."""

from __future__ import annotations

from masthead.schemas.field_types import Bool, Int, Str
from masthead.schemas.schema import ListOf, Object, optional, required, schema
from masthead.schemas.slugs import SLUG_FIELD, TAKE_OVER, Slug
from masthead.schemas.text_types import Line

TAG = schema({"id": required(Int()), "name": required(Str()), "slug": required(Str())})
TAGS = ListOf(Object(TAG))
TAG_BODY = schema(
    {
        "name": required(Line()),
        SLUG_FIELD: optional(Slug()),
        TAKE_OVER: optional(Bool(), False),
    }
)
