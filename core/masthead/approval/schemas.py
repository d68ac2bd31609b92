"""Bodies and answers of the approval endpoints."""

from __future__ import annotations

from collections.abc import Iterable

import colander

from masthead.schemas.field_types import DESCRIPTION, MAX_ID, Bool, Choice, Int, Str, Timestamp
from masthead.schemas.schema import ListOf, Object, extended, optional, required, schema
from masthead.schemas.users import USER_SUMMARY

REQUESTED = schema({"success": required(Bool()), "warning": optional(Str(), nullable=False)})
"""The answer to a request; the warning is there if nobody can approve the item."""
CREATED = schema({"success": required(Bool()), "id": required(Int())})
_COMMENT = {"comment": optional(Str(DESCRIPTION))}


def _item_body(names: Iterable[str]) -> colander.SchemaNode:
    return schema({"contentType": required(Choice(*names)), "contentId": required(Int(1, MAX_ID))})


def request_body(names: Iterable[str]) -> colander.SchemaNode:
    """Return the body of an approval request: the item, and a comment for the approvers."""
    return extended(_item_body(names), _COMMENT)


def approve_body(names: Iterable[str]) -> colander.SchemaNode:
    """Return the body of an approval: the item, the revision that was read, and a comment."""
    return extended(_item_body(names), {"etag": optional(Str()), **_COMMENT})


def reject_body(names: Iterable[str]) -> colander.SchemaNode:
    """Return the body of a rejection: the item, and the reason."""
    return extended(_item_body(names), {"reason": optional(Str(DESCRIPTION))})


def config_body(names: Iterable[str]) -> colander.SchemaNode:
    """Return the body of a new row: the content type, and the role that may approve it."""
    return schema({"contentType": required(Choice(*names)), "roleId": required(Int(1, MAX_ID))})


PENDING = ListOf(
    Object(
        schema(
            {
                "contentType": required(Str()),
                "label": required(Str()),
                "id": required(Int(1)),
                "title": required(Str()),
                "requestedAt": required(Timestamp(), nullable=True),
                "requestedBy": required(USER_SUMMARY, nullable=True),
                "staged": required(Bool()),
                "comment": required(Str(DESCRIPTION), nullable=True),
                "etag": required(Str()),
                "mayApprove": required(Bool()),
            }
        )
    )
)
"""Items that wait for an approval; ``mayApprove`` is false for the caller's own ones under the
four-eyes rule."""


def pending_query(names: Iterable[str]) -> colander.SchemaNode:
    """Return the query of the list of pending items: a content type."""
    return schema({"contentType": optional(Choice(*names), nullable=False)})


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
