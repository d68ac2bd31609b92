"""Schemas of answers that several features share."""

from __future__ import annotations

from typing import Any

from masthead.schemas.field_types import FieldType, Int, Str
from masthead.schemas.schema import DONE, ListOf, Object, required, schema


class AnyValue(FieldType):
    """Any JSON value."""

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema, which allows everything."""
        return {}


CREATED = schema(
    {"success": DONE, "id": required(Int(1), help="The id of the new item.")},
    name="Created",
    help="The operation is done; it has created an item.",
)
RECEIVED = schema(
    {
        "success": DONE,
        "message": required(Str(), help="A sentence for the visitor.", example="Thank you!"),
    },
    name="Received",
    help="The form of a visitor was received.",
)
USER_REFERENCE = schema(
    {
        "id": required(Int(1), help="The id of the user."),
        "username": required(Str(), help="The name by which the user logs in.", example="ada"),
        "displayName": required(
            Str(), nullable=True, help="The name that the public sees.", example="Ada Lovelace"
        ),
    },
    name="UserReference",
    help="A user, as the answers about other things name one.",
)
_FAILED = schema(
    {
        "id": required(Int(), help="The id of the item."),
        "error": required(Str(), help="The reason, for humans.", example="Not found"),
    },
    name="FailedItem",
    help="An item that an operation on many items has left unchanged.",
)
BULK_RESULT = schema(
    {
        "success": DONE,
        "affected": required(Int(0), help="The number of items that were changed or deleted."),
        "failed": required(
            ListOf(Object(_FAILED)), help="The items that the operation could not be applied to."
        ),
    },
    name="BulkResult",
    help="The result of an operation on many items.",
)
