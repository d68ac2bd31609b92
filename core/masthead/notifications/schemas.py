"""Queries and answers of the notification endpoints."""

from __future__ import annotations

from masthead.ports.notice import TYPES
from masthead.schema.schemas import (
    Bool,
    Choice,
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

_MESSAGE = 10_000

FILTER = schema({"unreadOnly": maybe(Bool())})
MARKED = schema({"success": required(Bool()), "marked": required(Int(0))})
NOTIFICATIONS = ListOf(
    Object(
        schema(
            {
                "id": required(Int(1)),
                "type": required(Choice(*TYPES)),
                "title": required(Str()),
                "message": required(Str(_MESSAGE)),
                "contentType": nullable(Str()),
                "contentId": nullable(Int(1)),
                "read": required(Bool()),
                "createdAt": required(Timestamp()),
                "readAt": nullable(Timestamp()),
            }
        )
    )
)
