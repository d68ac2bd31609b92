"""Query and answer of the audit log's endpoint."""

from __future__ import annotations

from masthead.schema.schemas import (
    Anything,
    Int,
    ListOf,
    Object,
    Str,
    Timestamp,
    maybe,
    nullable,
    required,
    schema,
)

FILTER = schema({"contentType": maybe(Str()), "contentId": maybe(Int(1))})
_ACTOR = schema({"id": required(Int(1)), "username": required(Str())})
ENTRIES = ListOf(
    Object(
        schema(
            {
                "id": required(Int(1)),
                "at": required(Timestamp()),
                "actor": nullable(Object(_ACTOR)),
                "action": required(Str()),
                "contentType": nullable(Str()),
                "contentId": nullable(Int(1)),
                "detail": required(Anything()),
            }
        )
    )
)
