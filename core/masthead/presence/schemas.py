"""The body and the answer of the endpoints of presence."""

from __future__ import annotations

from masthead.schemas.common import USER_REFERENCE
from masthead.schemas.field_types import Bool, Int, Timestamp
from masthead.schemas.schema import ListOf, Object, optional, required, schema

OPEN = schema(
    {
        "editing": optional(
            Bool(), nullable=False, help="Whether you are changing the item; by default not."
        )
    },
    name="OwnPresence",
    help="A sign that the item is open.",
)
_OTHER = schema(
    {
        "user": required(Object(USER_REFERENCE), help="The user who has it open."),
        "since": required(Timestamp(), help="The time since which it is open."),
        "editing": required(Bool(), help="Whether the user is changing it."),
    },
    name="OtherPresence",
    help="Another user who has the item open.",
)
PRESENCE = Object(
    schema(
        {
            "others": required(
                ListOf(Object(_OTHER)), help="The other users who have it open, the first first."
            ),
            "seconds": required(
                Int(1), help="The seconds within which to repeat the request.", example=60
            ),
        },
        name="Presence",
        help="The users who have an item open.",
    )
)
