"""Bodies, queries and answers of media's endpoints."""

from __future__ import annotations

import masthead
from masthead import Bool, Int, ListOf, Object, Str, Timestamp, Url, form, optional, required
from masthead import required as field

ALT_TEXT = 2_000
LARGEST_WIDTH = 8_192

_PLACE = {"url": field(Url()), "key": field(Str()), "filename": field(Str())}
UPLOADED = masthead.schema({**_PLACE, "duplicate": field(Bool())})
SUBMITTED = masthead.schema(_PLACE)
IMAGE = masthead.schema(
    {
        **_PLACE,
        "size": field(Int()),
        "uploadedAt": field(Timestamp()),
        "contentType": field(Str()),
        "width": field(Int()),
        "height": field(Int()),
        "altText": required(Str(ALT_TEXT), nullable=True),
    }
)
IMAGES = ListOf(Object(IMAGE))
CHANGE = masthead.schema({"altText": optional(Str(ALT_TEXT))})
FORCE = masthead.schema({"force": optional(Bool(), nullable=False)})
WIDTH = masthead.schema({"w": optional(Int(1, LARGEST_WIDTH), nullable=False)})
NOTHING = form(masthead.schema({}))
"""What a visitor's form has beside the file: the field that has to stay empty."""
