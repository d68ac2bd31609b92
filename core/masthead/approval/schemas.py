"""Bodies and answers of the approval endpoints."""

from __future__ import annotations

from collections.abc import Iterable

import colander

from masthead.schemas.field_types import DESCRIPTION, MAX_ID, Bool, Choice, Int, Str
from masthead.schemas.schema import ListOf, Object, extended, optional, required, schema

REQUESTED = schema({"success": required(Bool()), "warning": optional(Str(), nullable=False)})
"""The answer to a request; the warning is there if nobody can approve the item."""
CREATED = schema({"success": required(Bool()), "id": required(Int())})


def item_body(names: Iterable[str]) -> colander.SchemaNode:
    """Return the body of an approval request: the item."""
    return schema({"contentType": required(Choice(*names)), "contentId": required(Int(1, MAX_ID))})


def approve_body(names: Iterable[str]) -> colander.SchemaNode:
    """Return the body of an approval: the item, and the revision that was read."""
    return extended(item_body(names), {"etag": optional(Str())})


def reject_body(names: Iterable[str]) -> colander.SchemaNode:
    """Return the body of a rejection: the item, and the reason."""
    return extended(item_body(names), {"reason": optional(Str(DESCRIPTION))})


def config_body(names: Iterable[str]) -> colander.SchemaNode:
    """Return the body of a new row: the content type, and the role that may approve it."""
    return schema({"contentType": required(Choice(*names)), "roleId": required(Int(1, MAX_ID))})


CONFIG = ListOf(
    Object(
        schema(
            {
                "id": required(Int()),
                "contentType": required(Str()),
                "roleId": required(Int()),
                "roleName": required(Str()),
            }
        )
    )
)
