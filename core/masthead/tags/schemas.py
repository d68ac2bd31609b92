"""Bodies and answers of the tag endpoints."""

from __future__ import annotations

from masthead.schema.schemas import Int, ListOf, Object, Str, required, schema

TAG = schema({"id": required(Int()), "name": required(Str()), "slug": required(Str())})
TAGS = ListOf(Object(TAG))
TAG_BODY = schema({"name": required(Str())})
