"""Bodies and answers of the tag endpoints."""

from __future__ import annotations

from masthead.schemas.field_types import Int, Str
from masthead.schemas.schema import ListOf, Object, required, schema
from masthead.schemas.text_types import Line

TAG = schema({"id": required(Int()), "name": required(Str()), "slug": required(Str())})
TAGS = ListOf(Object(TAG))
TAG_BODY = schema({"name": required(Line())})
