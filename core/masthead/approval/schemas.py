"""Bodies and answers of the approval endpoints."""

from __future__ import annotations

from collections.abc import Iterable

import colander

from masthead.schemas.field_types import DESCRIPTION, MAX_ID, Bool, Choice, Int, Str
from masthead.schemas.schema import ListOf, Object, extended, optional, required, schema

REQUESTED = schema(
    {
        "success": required(Bool(), help="Always true; an error has another answer."),
        "warning": optional(
            Str(),
            nullable=False,
            help="The reason why nobody can approve the item yet; absent if somebody can.",
        ),
    },
    name="ApprovalRequested",
    help="The approval of the item is requested.",
)
"""The answer to a request; the warning is there if nobody can approve the item."""


def item_body(names: Iterable[str]) -> colander.SchemaNode:
    """Return the body of an approval request: the item."""
    return schema(
        {
            "contentType": required(Choice(*names), help="The content type of the item."),
            "contentId": required(Int(1, MAX_ID), help="The id of the item.", example=1),
        },
        name="ApprovalRequest",
        help="An item whose approval to request.",
    )


def approve_body(names: Iterable[str]) -> colander.SchemaNode:
    """Return the body of an approval: the item, and the revision that was read."""
    return extended(
        item_body(names),
        {
            "etag": optional(
                Str(),
                help="The revision that the approver has read; another one is refused.",
                example="3",
            )
        },
        name="Approval",
        help="An item to approve.",
    )


def reject_body(names: Iterable[str]) -> colander.SchemaNode:
    """Return the body of a rejection: the item, and the reason."""
    return extended(
        item_body(names),
        {
            "reason": optional(
                Str(DESCRIPTION),
                help="The reason, for the author.",
                example="Please name the sources.",
            )
        },
        name="Rejection",
        help="An item to reject, and the reason.",
    )


def config_body(names: Iterable[str]) -> colander.SchemaNode:
    """Return the body of a new row: the content type, and the role that may approve it."""
    return schema(
        {
            "contentType": required(Choice(*names), help="The content type."),
            "roleId": required(Int(1, MAX_ID), help="The id of the role that may approve it."),
        },
        name="ApproverCreate",
        help="A role that may approve a content type.",
    )


CONFIG = ListOf(
    Object(
        schema(
            {
                "id": required(Int(), help="The id of the rule, for its deletion."),
                "contentType": required(Str(), help="The content type."),
                "roleId": required(Int(), help="The id of the role that may approve it."),
                "roleName": required(Str(), help="The name of the role.", example="Board"),
            },
            name="Approver",
            help="A role that may approve a content type.",
        )
    )
)
