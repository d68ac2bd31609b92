"""Bodies and answers of the tag endpoints."""

from __future__ import annotations

from masthead.schemas.field_types import Int, Str
from masthead.schemas.schema import ListOf, Object, required, schema
from masthead.schemas.text_types import Line

TAG = schema(
    {
        "id": required(Int(), help="The id of the tag."),
        "name": required(Str(), help="The name, which is unique.", example="Volunteers"),
        "slug": required(
            Str(), help="Its part of an address, which follows the name.", example="volunteers"
        ),
    },
    name="Tag",
    help="A word that items can be found by.",
)
TAGS = ListOf(Object(TAG))
TAG_BODY = schema(
    {"name": required(Line(), help="The name, which is unique.", example="Volunteers")},
    name="TagCreate",
    help="A tag to create, or its new name.",
)
