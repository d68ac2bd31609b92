"""The bodies and queries of a content type's endpoints, made from its fields."""

from __future__ import annotations

import colander

from masthead.content.bulk import OPERATIONS
from masthead.content.contenttype import ContentType
from masthead.content.live_edits import LIVE, LiveFlag
from masthead.content.taglinks import TAG_IDS
from masthead.resources.schemas import changes, new_values
from masthead.schemas.field_types import MAX_ID, Bool, Choice, Int, Str
from masthead.schemas.labels import one, sentence, type_name
from masthead.schemas.schema import ListOf, extended, optional, required, schema
from masthead.schemas.slugs import TAKE_OVER, TAKE_OVER_HELP

_IDS = ListOf(Int(1, MAX_ID), unique=True)
BULK_BODY = schema(
    {
        "operation": required(Choice(*OPERATIONS), help="The operation."),
        "ids": required(_IDS, help="The ids of the items.", example=[1, 2]),
    },
    name="BulkOperation",
    help="An operation on many items.",
)
SEARCH = {
    "search": optional(
        Str(min_length=0),
        nullable=False,
        help="Words that an item has to have, each at the start of a word of its text.",
        example="open gard",
    )
}
UPCOMING = "upcoming"
PUBLISHED_HELP = (
    "Whether the public sees it: false unpublishes it at once, and true needs an approved item."
    " A new item is never published."
)
STAGE = "stage"


def create_body(content_type: ContentType) -> colander.SchemaNode:
    """Return the body of a create; ``published`` is ignored, as every item begins as a draft."""
    further = {
        TAG_IDS: optional(_IDS, [], help="The ids of its tags, which replace all earlier ones."),
        "published": optional(Bool(), False, help=PUBLISHED_HELP),
        TAKE_OVER: optional(Bool(), False, help=TAKE_OVER_HELP),
    }
    return schema(
        new_values(content_type.fields) | further,
        name=type_name(content_type, "Create"),
        help=sentence(f"{one(content_type)} to create, as a draft"),
    )


def update_body(content_type: ContentType) -> colander.SchemaNode:
    """Return the body of an update: any field of a create.

    ``stage`` stages the edits of a caller who could make them live, and ``live`` makes them live
    beside staged ones.
    """
    body = changes(create_body(content_type), content_type)
    stage = optional(
        Bool(),
        False,
        help="Whether an edit of a published item waits for approval even if the caller could make"
        " it live.",
    )
    live = optional(
        LiveFlag(),
        False,
        help="Whether the edit goes live even if another edit waits for approval, which takes it"
        " over except for the fields that it has changed itself. Only for callers who could make"
        " an edit live. An object, such as that of an answer, is ignored.",
    )
    further = {STAGE: stage, LIVE: live}
    return extended(body, further, name=body.type_name, help=body.description)
