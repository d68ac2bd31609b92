"""The query and the answers of the notification endpoints."""

from __future__ import annotations

from masthead.ports.notice import NoticeType
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
_ITEM = schema(
    {
        "contentType": required(Str(), help="Its content type.", example="news"),
        "id": required(Int(1), help="Its id."),
        "title": required(
            Str(), nullable=True, help="Its title; null if the reader may not see it."
        ),
        "path": required(
            Str(),
            nullable=True,
            help="The path of the endpoint that shows it to staff.",
            example="/api/staff/news/7",
        ),
    },
    name="NotificationItem",
    help="The item that a notification is about.",
)
NOTIFICATIONS = ListOf(
    Object(
        schema(
            {
                "id": required(Int(1), help="The id of the notification."),
                "type": required(Choice(*map(str, NoticeType)), help="The event that it reports."),
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
                "item": required(
                    Object(_ITEM), nullable=True, help="The item that it is about; null for none."
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
