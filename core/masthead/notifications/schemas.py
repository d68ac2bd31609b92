"""The query and the answers of the notification endpoints."""

from __future__ import annotations

from masthead.ports.notice import TYPES
from masthead.schemas.field_types import Bool, Choice, Int, Str, Timestamp
from masthead.schemas.schema import ListOf, Object, optional, required, schema

_MESSAGE = 10_000

FILTER = schema(
    {"unreadOnly": optional(Bool(), nullable=False, help="Whether to leave out what was read.")}
)
MARKED = schema(
    {
        "success": required(Bool(), help="Always true; an error has another answer."),
        "marked": required(Int(0), help="The number of notifications that were unread."),
    },
    name="MarkedAsRead",
    help="The notifications are read.",
)
NOTIFICATIONS = ListOf(
    Object(
        schema(
            {
                "id": required(Int(1), help="The id of the notification."),
                "type": required(Choice(*TYPES), help="The event that it reports."),
                "title": required(Str(), help="A short text.", example="Approval requested"),
                "message": required(
                    Str(_MESSAGE),
                    help="The whole text.",
                    example='ada requests the approval of "Opening hours".',
                ),
                "contentType": required(
                    Str(),
                    nullable=True,
                    help="The content type of the item that it is about; null for none.",
                    example="news",
                ),
                "contentId": required(
                    Int(1),
                    nullable=True,
                    help="The id of the item that it is about; null for none.",
                ),
                "read": required(Bool(), help="Whether it was read."),
                "createdAt": required(Timestamp(), help="The time of the event."),
                "readAt": required(
                    Timestamp(), nullable=True, help="The time at which it was read."
                ),
            },
            name="Notification",
            help="A message of Masthead to the caller.",
        )
    )
)
