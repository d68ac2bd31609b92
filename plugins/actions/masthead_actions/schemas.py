"""Bodies, queries and answers of the proposals' endpoints."""

from __future__ import annotations

from masthead import (
    Bool,
    Choice,
    Email,
    Html,
    Int,
    ListOf,
    Object,
    Str,
    Timestamp,
    Url,
    form,
    maybe,
    nullable,
    optional,
    required,
    schema,
)
from masthead_actions.models import STATUSES

TEXT = 2_000
"""The most characters of a description, and of what staff note."""
ANONYMOUS_HTML = 64 * 1024
"""The most bytes of HTML that is taken from who isn't logged in."""
MOST_IMAGES = 20

_IMAGES = ListOf(Url(mailto=False), most=MOST_IMAGES)
_SENT = {
    "title": required(Str()),
    "description": required(Str(TEXT)),
    "contactName": required(Str()),
    "contactEmail": required(Email()),
}
_LISTED = {
    "id": required(Int()),
    **_SENT,
    "imageUrls": required(_IMAGES),
    "contactPhone": nullable(Str()),
    "status": required(Choice(*STATUSES)),
    "notes": nullable(Str(TEXT)),
    "actionId": nullable(Int()),
    "createdAt": required(Timestamp()),
    "updatedAt": required(Timestamp()),
}

SUBMISSION = form(
    schema(
        {
            **_SENT,
            "content": optional(Html(ANONYMOUS_HTML)),
            "imageUrls": optional(_IMAGES),
            "contactPhone": optional(Str()),
        }
    )
)
RECEIVED = schema({"success": required(Bool()), "message": required(Str()), "id": required(Int())})
FILTER = schema({"status": maybe(Choice(*STATUSES))})
PROPOSALS = ListOf(Object(schema(_LISTED)))
PROPOSAL = schema({**_LISTED, "content": nullable(Html(ANONYMOUS_HTML))})
CHANGES = schema({"status": maybe(Choice(*STATUSES)), "notes": optional(Str(TEXT))})
ACCEPTED = schema({"success": required(Bool()), "id": required(Int())})
DELETED = schema({"success": required(Bool())})
