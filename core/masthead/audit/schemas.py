"""The query and the answer of the audit log's endpoint."""

from __future__ import annotations

from masthead.http.paging import TEXT_FILTER
from masthead.schemas.field_types import Anything, Int, Str, Timestamp
from masthead.schemas.schema import ListOf, Object, optional, required, schema

FILTER = schema(
    {
        "contentType": optional(TEXT_FILTER, nullable=False),
        "contentId": optional(Int(1), nullable=False),
    }
)
_ACTOR = schema({"id": required(Int(1)), "username": required(Str())})
ENTRIES = ListOf(
    Object(
        schema(
            {
                "id": required(Int(1)),
                "at": required(Timestamp()),
                "actor": required(Object(_ACTOR), nullable=True),
                "action": required(Str()),
                "contentType": required(Str(), nullable=True),
                "contentId": required(Int(1), nullable=True),
                "detail": required(Anything()),
            }
        )
    )
)
