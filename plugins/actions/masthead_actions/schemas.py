"""What a visitor sends to propose an action, and what the endpoints beyond the kit's answer."""

from __future__ import annotations

import masthead
from masthead import Bool, Int, Str, form, optional, required
from masthead_actions.resource import PROPOSALS

_KINDS = {field.name: field.kind for field in PROPOSALS.fields}

SUBMISSION = form(
    masthead.schema(
        {
            "title": required(_KINDS["title"]),
            "description": required(_KINDS["description"]),
            "content": optional(_KINDS["content"], nullable=False),
            "imageUrls": optional(_KINDS["imageUrls"]),
            "contactName": required(_KINDS["contactName"]),
            "contactEmail": required(_KINDS["contactEmail"]),
            "contactPhone": optional(_KINDS["contactPhone"], nullable=False),
        }
    )
)
RECEIVED = masthead.schema(
    {"success": required(Bool()), "message": required(Str()), "id": required(Int())}
)
ACCEPTED = masthead.schema({"success": required(Bool()), "id": required(Int())})
