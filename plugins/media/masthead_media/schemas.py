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
KEY_HELP = {
    "prefix": "The first part of the key of the image, such as `images`.",
    "filename": "The second part of the key of the image.",
}
FORM = form(masthead.schema({}, name="ImageSubmission", help="The fields of a visitor's upload."))
"""The fields of a visitor's form beside the file: the honeypot, which must stay empty."""
_ADDRESS = {
    "url": required(
        Url(),
        help="The address of the image, for fields such as `imageUrl`.",
        example="/api/images/images/1772357400000-3f9a.webp",
    ),
    "key": required(
        Str(), help="Its key in the storage.", example="images/1772357400000-3f9a.webp"
    ),
    "filename": required(Str(), help="The name of the uploaded file.", example="river.jpg"),
}
UPLOADED = masthead.schema(
    {**_ADDRESS, "duplicate": required(Bool(), help="Whether the same bytes were stored already.")},
    name="UploadedImage",
    help="An image that was stored.",
)
SUBMITTED = masthead.schema(_ADDRESS, name="SubmittedImage", help="A visitor's image.")
IMAGE = masthead.schema(
    {
        **_ADDRESS,
        "size": required(Int(), help="The size of the stored file in bytes."),
        "uploadedAt": required(Timestamp(), help="The time of the upload."),
        "contentType": required(Str(), help="The media type.", example="image/webp"),
        "width": required(Int(), help="The width in pixels."),
        "height": required(Int(), help="The height in pixels."),
        "altText": required(
            Str(MAX_ALT_TEXT), nullable=True, help="The description for readers who can't see it."
        ),
        "originalName": required(
            Str(), nullable=True, help="The file name of the upload.", example="harvest.jpg"
        ),
    },
    name="Image",
    help="An image of the library.",
)
IMAGES = ListOf(Object(IMAGE))
FILTER = masthead.schema(
    {
        "search": optional(
            Str(min_length=0), nullable=False, help="Words in the file name or the description."
        ),
        "contentType": optional(
            Choice(*MEDIA_TYPES), nullable=False, help="Only images of this media type."
        ),
        "submitted": optional(
            Bool(), nullable=False, help="Only images that visitors have sent, or only others."
        ),
    }
)
CHANGE = masthead.schema(
    {"altText": optional(Line(MAX_ALT_TEXT), help="The description for readers who can't see it.")},
    name="ImageUpdate",
    help="Changes of an image.",
)
FORCE = masthead.schema(
    {"force": optional(Bool(), nullable=False, help="Whether to delete an image that is used.")}
)
WIDTH = masthead.schema(
    {
        "w": optional(
            Int(1, MAX_WIDTH),
            nullable=False,
            help="The width of a smaller version, one of the setting `masthead.media.widths`.",
            example=640,
        )
    }
)
