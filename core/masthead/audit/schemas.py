"""The query and the answer of the audit log's endpoint."""

from __future__ import annotations

from masthead.http.paging import TEXT_FILTER
from masthead.schemas.common import USER_REFERENCE
from masthead.schemas.field_types import Anything, Int, Str, Timestamp
from masthead.schemas.schema import ListOf, Object, optional, required, schema

FILTER = schema(
    {
        "contentType": optional(
            TEXT_FILTER, nullable=False, help="Only entries about items of this type."
        ),
        "contentId": optional(
            Int(1), nullable=False, help="Only entries about the item with this id."
        ),
    }
)
ENTRIES = ListOf(
    Object(
        schema(
            {
                "id": required(Int(1), help="The id of the entry."),
                "at": required(Timestamp(), help="The time of the action."),
                "actor": required(
                    Object(USER_REFERENCE),
                    nullable=True,
                    help="The user who acted; null for the system, and for a visitor.",
                ),
                "action": required(
                    Str(),
                    help="The action, by feature and verb. Plugins add actions.",
                    example="approval.approve",
                ),
                "contentType": required(
                    Str(),
                    nullable=True,
                    help="The type of the item; null if it is about none.",
                    example="news",
                ),
                "contentId": required(
                    Int(1), nullable=True, help="The id of the item; null if it is about none."
                ),
                "detail": required(Anything(), help="Further values, which depend on the action."),
            },
            name="AuditEntry",
            help="An action that the audit log has recorded.",
        )
    )
)
