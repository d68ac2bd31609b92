"""The query and the answer of the audit log's endpoint."""

from __future__ import annotations

from masthead.http.paging import TEXT_FILTER
from masthead.schemas.field_types import Anything, Int, Str, Timestamp
from masthead.schemas.schema import ListOf, Object, optional, required, schema
from masthead.schemas.users import USER_SUMMARY

FILTER = schema(
    {
        "contentType": optional(TEXT_FILTER, nullable=False),
        "contentId": optional(Int(1), nullable=False),
    }
)
ENTRIES = ListOf(
    Object(
        schema(
            {
                "id": required(Int(1)),
                "at": required(Timestamp()),
                "actor": required(USER_SUMMARY, nullable=True),
                "action": required(Str()),
                "contentType": required(Str(), nullable=True),
                "contentId": required(Int(1), nullable=True),
                "detail": required(Anything()),
            }
        )
    )
)
