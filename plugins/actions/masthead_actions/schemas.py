"""The body of a visitor's proposal, and the answers of the endpoints."""

from __future__ import annotations

import masthead
from masthead import Bool, Int, Str, form, optional, required
from masthead_actions.resource import PROPOSALS

_TYPES = {field.name: field.kind for field in PROPOSALS.fields}

SUBMISSION = form(
    masthead.schema(
        {
            "title": required(_TYPES["title"]),
            "description": required(_TYPES["description"]),
            "content": optional(_TYPES["content"], nullable=False),
            "imageUrls": optional(_TYPES["imageUrls"]),
            "contactName": required(_TYPES["contactName"]),
            "contactEmail": required(_TYPES["contactEmail"]),
            "contactPhone": optional(_TYPES["contactPhone"], nullable=False),
        }
    )
)
RECEIVED = masthead.schema(
    {"success": required(Bool()), "message": required(Str()), "id": required(Int())}
)
ACCEPTED = masthead.schema({"success": required(Bool()), "id": required(Int())})
