"""Request bodies, query parameters and answers of the endpoints."""

from __future__ import annotations

import masthead
from masthead import (
    Bool,
    Choice,
    FileField,
    Int,
    Line,
    ListOf,
    Object,
    Str,
    Timestamp,
    Url,
    form,
    optional,
    required,
)
from masthead_media.settings import MAX_BODY
from masthead_media.validate_image import MEDIA_TYPES

MAX_ALT_TEXT = 2_000
MAX_WIDTH = 8_192

FILE = FileField(MAX_BODY, accepts=MEDIA_TYPES)
FORM = form(masthead.schema({}))
"""The fields of a visitor's form beside the file: the honeypot, which must stay empty."""
_ADDRESS = {"url": required(Url()), "key": required(Str()), "filename": required(Str())}
UPLOADED = masthead.schema({**_ADDRESS, "duplicate": required(Bool())})
SUBMITTED = masthead.schema(_ADDRESS)
IMAGE = masthead.schema(
    {
        **_ADDRESS,
        "size": required(Int()),
        "uploadedAt": required(Timestamp()),
        "contentType": required(Str()),
        "width": required(Int()),
        "height": required(Int()),
        "altText": required(Str(MAX_ALT_TEXT), nullable=True),
        "originalName": required(Str(), nullable=True),
    }
)
IMAGES = ListOf(Object(IMAGE))
FILTER = masthead.schema(
    {
        "search": optional(Str(min_length=0), nullable=False),
        "contentType": optional(Choice(*MEDIA_TYPES), nullable=False),
        "submitted": optional(Bool(), nullable=False),
    }
)
CHANGE = masthead.schema({"altText": optional(Line(MAX_ALT_TEXT))})
FORCE = masthead.schema({"force": optional(Bool(), nullable=False)})
WIDTH = masthead.schema({"w": optional(Int(1, MAX_WIDTH), nullable=False)})
