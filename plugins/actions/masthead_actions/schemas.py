"""The body of a visitor's proposal, and the answers of the endpoints."""

from __future__ import annotations

import masthead
from masthead import Int, extended, form, optional, required
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
        },
        name="ProposalForm",
        help="The proposal of a visitor.",
    )
)
RECEIVED = extended(
    masthead.RECEIVED,
    {"id": required(Int(1), help="The id of the proposal.")},
    name="ProposalReceived",
    help="The proposal was received.",
)
