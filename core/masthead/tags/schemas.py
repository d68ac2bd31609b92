"""Bodies and answers of the tag endpoints."""

from __future__ import annotations

from masthead.schemas.field_types import Bool, Int, Str
from masthead.schemas.schema import ListOf, Object, optional, required, schema
from masthead.schemas.slugs import SLUG_FIELD, TAKE_OVER, TAKE_OVER_HELP, Slug
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
    {
        "name": required(Line(), help="The name, which is unique.", example="Volunteers"),
        SLUG_FIELD: optional(
            Slug(),
            help="Its part of an address; null or blank means one from the name.",
            example="volunteers",
        ),
        TAKE_OVER: optional(Bool(), False, help=TAKE_OVER_HELP),
    },
    name="TagCreate",
    help="A tag to create, or its new name.",
)
