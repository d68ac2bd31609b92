"""The query and the answers of the notification endpoints."""

from __future__ import annotations

from masthead.ports.notice import TYPES
from masthead.schemas.field_types import Bool, Choice, Int, Str, Timestamp
from masthead.schemas.schema import ListOf, Object, optional, required, schema

_MESSAGE = 10_000

FILTER = schema({"unreadOnly": optional(Bool(), nullable=False)})
MARKED = schema({"success": required(Bool()), "marked": required(Int(0))})
_ITEM = schema(
    {
        "contentType": required(Str()),
        "id": required(Int(1)),
        "title": required(Str(), nullable=True),
        "path": required(Str(), nullable=True),
    }
)
NOTIFICATIONS = ListOf(
    Object(
        schema(
            {
                "id": required(Int(1)),
                "type": required(Choice(*TYPES)),
                "title": required(Str()),
                "message": required(Str(_MESSAGE)),
                "contentType": required(Str(), nullable=True),
                "contentId": required(Int(1), nullable=True),
                "item": required(Object(_ITEM), nullable=True),
                "read": required(Bool()),
                "createdAt": required(Timestamp()),
                "readAt": required(Timestamp(), nullable=True),
            }
        )
    )
)
