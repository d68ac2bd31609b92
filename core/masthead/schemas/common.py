"""Schemas of answers that several features share."""

from __future__ import annotations

from typing import Any

from masthead.errors import ProblemCode
from masthead.schemas.field_types import Choice, FieldType, Int, Str
from masthead.schemas.schema import DONE, ListOf, Object, optional, required, schema
from masthead.schemas.stored import PlainText


class AnyValue(FieldType):
    """Any JSON value."""

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema, which allows everything."""
        return {}


class _Option(FieldType):
    """A value that a field accepts."""

    def schema(self) -> dict[str, Any]:
        return {"type": ["string", "integer"]}


_FAULT = {
    "path": required(
        Str(),
        help="The wrong field: a member of the body such as `mission.content`, with the indexes"
        " of arrays from 0 such as `columns.3.field`, a query parameter, or a field of the form.",
        example="title",
    ),
    "code": required(
        Choice(*map(str, ProblemCode)),
        help="The kind of problem, for programs. Later versions may add codes.",
        example="required",
    ),
    "message": required(PlainText(), help="The problem, for humans.", example="Required"),
}
PROBLEM = schema(
    {
        **_FAULT,
        "limit": optional(Int(), nullable=False, help="The largest or least size in the message."),
        "minimum": optional(Int(), nullable=False, help="The least number that is accepted."),
        "maximum": optional(Int(), nullable=False, help="The largest number that is accepted."),
        "options": optional(ListOf(_Option()), nullable=False, help="The accepted values."),
    },
    name="Problem",
    help="A wrong field of a request.",
)
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
FAULTS = {
    "fields": optional(
        ListOf(
            Object(
                schema(
                    _FAULT,
                    name="FailedField",
                    help="A field because of which an item was left unchanged.",
                )
            )
        ),
        nullable=False,
        help="The fields because of which it was left unchanged, if there are some.",
    )
}
"""The wrong fields of an item in the answer to an operation on many items."""
_FAILED = schema(
    {
        "id": required(Int(), help="The id of the item."),
        "error": required(Str(), help="The reason, for humans.", example="Not found"),
        **FAULTS,
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
