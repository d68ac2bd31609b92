"""Bodies and answers of the approval endpoints."""

from __future__ import annotations

from collections.abc import Iterable

import colander

from masthead.approval.declaration import STATUSES
from masthead.history.schemas import DIFFERENCES
from masthead.schemas.common import FAULTS, USER_REFERENCE
from masthead.schemas.field_types import (
    DESCRIPTION,
    MAX_ID,
    Anything,
    Bool,
    Choice,
    Int,
    Str,
    Timestamp,
)
from masthead.schemas.schema import ListOf, Object, extended, optional, required, schema

REQUESTED = schema(
    {
        "success": required(Bool(), help="Always true; an error has another answer."),
        "warning": optional(
            Str(),
            nullable=False,
            help="The reason why the item can't be approved yet; absent if it can.",
        ),
    },
    name="ApprovalRequested",
    help="The approval of the item is requested.",
)
"""The answer to a request; the warning is there if too few users can approve the item."""
APPROVED = schema(
    {
        "success": required(Bool(), help="Always true; an error has another answer."),
        "approvals": optional(
            Int(1),
            nullable=False,
            help="The number of users who have approved it, if the type requires several; with"
            " fewer than `required` ones, the item stays pending.",
        ),
        "required": optional(
            Int(2),
            nullable=False,
            help="The number of users who have to approve it, if the type requires several.",
        ),
    },
    name="ApprovalGiven",
    help="The item is approved, or one of several approvals is stored.",
)

_COMMENT = {
    "comment": optional(
        Str(DESCRIPTION), help="A comment for the readers of the notification.", example="Urgent."
    )
}
_REASON = {
    "reason": optional(
        Str(DESCRIPTION), help="The reason, for the author.", example="Please name the sources."
    )
}
_ETAG = {
    "etag": optional(
        Str(),
        help="The revision that the approver has read; another one is refused.",
        example="3",
    )
}
_UNTIL = {
    "until": optional(
        Timestamp(),
        help="The time until which it is approved. From then on the public doesn't see it, as with"
        " `scheduledUnpublishAt`. For content only; with several approvals, for the last one.",
        example="2036-05-01T00:00:00.000Z",
    )
}
_MOST_ITEMS = 100
"""The items of one call; on SQLite, other writers wait for its end."""


def _item_body(names: Iterable[str]) -> colander.SchemaNode:
    return schema(
        {
            "contentType": required(Choice(*names), help="The content type of the item."),
            "contentId": required(Int(1, MAX_ID), help="The id of the item.", example=1),
        }
    )


def request_body(names: Iterable[str]) -> colander.SchemaNode:
    """Return the body of an approval request: the item, and a comment for the approvers."""
    return extended(
        _item_body(names),
        {
            **_COMMENT,
            "reviewerId": optional(
                Int(1, MAX_ID),
                help="The id of the user who is asked to approve it; it has to be able to.",
                example=2,
            ),
        },
        name="ApprovalRequest",
        help="An item whose approval to request.",
    )


def withdraw_body(names: Iterable[str]) -> colander.SchemaNode:
    """Return the body of a withdrawal: the item."""
    return extended(
        _item_body(names), {}, name="Withdrawal", help="An item whose request to withdraw."
    )


def approve_body(names: Iterable[str]) -> colander.SchemaNode:
    """Return the body of an approval: the item, the revision that was read, and a comment."""
    return extended(
        _item_body(names),
        {**_ETAG, **_COMMENT, **_UNTIL},
        name="Approval",
        help="An item to approve.",
    )


def reject_body(names: Iterable[str]) -> colander.SchemaNode:
    """Return the body of a rejection: the item, and the reason."""
    return extended(
        _item_body(names),
        _REASON,
        name="Rejection",
        help="An item to reject, and the reason.",
    )


def bulk_body(names: Iterable[str], operations: Iterable[str]) -> colander.SchemaNode:
    """Return the body of a move of many items."""
    item = extended(
        _item_body(names),
        _ETAG,
        name="ApprovalBulkItem",
        help="An item to move, and the revision that was read.",
    )
    return schema(
        {
            "operation": required(Choice(*operations), help="The move."),
            "items": required(
                ListOf(Object(item), max_length=_MOST_ITEMS), help="The items; doubles count once."
            ),
            **_REASON,
            **_COMMENT,
        },
        name="ApprovalBulk",
        help="A move of many items. `reason` is for a rejection, and `comment` for other moves.",
    )


_FAILED = schema(
    {
        "contentType": required(Str(), help="The content type of the item.", example="news"),
        "id": required(Int(1), help="The id of the item."),
        "error": required(Str(), help="The reason, for humans.", example="Not pending approval"),
        "status": required(
            Int(400), help="The status that the item alone would have been answered with."
        ),
        "code": required(
            Str(), nullable=True, help="The code of the reason, such as `changed`; often null."
        ),
        **FAULTS,
    },
    name="FailedMove",
    help="An item that a move of many items has left unchanged.",
)
BULK_MOVED = extended(
    REQUESTED,
    {
        "affected": required(Int(0), help="The number of items that were moved."),
        "failed": required(ListOf(Object(_FAILED)), help="The items that could not be moved."),
    },
    name="ApprovalBulkResult",
    help="The result of a move of many items.",
)
"""The answer to a move of many items; the warning is there if nobody can approve some of them."""


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


_WAITING = {
    "required": required(Int(1), help="The number of users who have to approve it."),
    "reviewer": required(
        Object(USER_REFERENCE), nullable=True, help="The user who was asked to approve it."
    ),
    "deadline": required(
        Timestamp(),
        nullable=True,
        help="The time at which others are notified that nobody has decided; null for none.",
    ),
}
"""The members about a request that waits for approvals."""
PENDING = ListOf(
    Object(
        schema(
            {
                "contentType": required(Str(), help="The content type.", example="news"),
                "label": required(Str(), help="The label of the type.", example="News Article"),
                "id": required(Int(1), help="The id of the item."),
                "title": required(Str(), help="Its title, also of a staged edit."),
                "requestedAt": required(
                    Timestamp(), nullable=True, help="The time of the request."
                ),
                "requestedBy": required(
                    Object(USER_REFERENCE), nullable=True, help="The user who requested it."
                ),
                "staged": required(Bool(), help="Whether an edit of a published item waits."),
                "comment": required(
                    Str(DESCRIPTION), nullable=True, help="The comment of the request."
                ),
                "etag": required(Str(), help="The revision, for the approval.", example="3"),
                "mayApprove": required(
                    Bool(),
                    help="Whether the caller may approve it, not twice nor one's own if so set.",
                ),
                "approvals": required(
                    Int(0), help="The number of users who have approved its present revision."
                ),
                **_WAITING,
            },
            name="PendingItem",
            help="An item that waits for an approval.",
        )
    )
)
"""Items that wait for an approval; ``mayApprove`` is false for the caller's own ones under the
four-eyes rule."""


_VOTE = schema(
    {
        "user": required(Object(USER_REFERENCE), help="The user who has approved it."),
        "at": required(Timestamp(), help="The time of the approval."),
        "comment": required(Str(DESCRIPTION), nullable=True, help="The user's comment."),
        "counts": required(
            Bool(),
            help="Whether it counts: the item was not changed since, and the user may still"
            " approve it.",
        ),
    },
    name="ApprovalVote",
    help="The approval of one user, where several are required.",
)
_MOVE = schema(
    {
        "at": required(Timestamp(), help="The time of the move."),
        "actor": required(
            Object(USER_REFERENCE), nullable=True, help="The user; null for the system."
        ),
        "action": required(Str(), help="The move.", example="approval.request"),
        "comment": required(Str(), nullable=True, help="The comment of a request or approval."),
        "reason": required(Str(), nullable=True, help="The reason of a rejection."),
        "revision": required(
            Int(1), nullable=True, help="The number of the revision that was approved."
        ),
    },
    name="ApprovalMove",
    help="A move of an item in the approval workflow.",
)
PROPOSAL = schema(
    {
        "contentType": required(Str(), help="The content type.", example="news"),
        "label": required(Str(), help="The label of the type.", example="News Article"),
        "id": required(Int(1), help="The id of the item."),
        "title": required(Str(), help="Its title, also of a staged edit."),
        "approvalStatus": required(Choice(*STATUSES), help="The state of the approval."),
        "requestedAt": required(Timestamp(), nullable=True, help="The time of the last request."),
        "requestedBy": required(
            Object(USER_REFERENCE), nullable=True, help="The user who requested it."
        ),
        "comment": required(
            Str(DESCRIPTION), nullable=True, help="The comment of the last request or approval."
        ),
        "staged": required(Bool(), help="Whether an edit of a published item waits."),
        "etag": required(Str(), help="The revision, for the approval.", example="3"),
        "mayApprove": required(Bool(), help="Whether the caller may approve it now."),
        **_WAITING,
        "votes": required(
            ListOf(Object(_VOTE)),
            help="The approvals of a pending item that needs several, the oldest first.",
        ),
        "live": required(
            Anything(), nullable=True, help="The values that are public; null if none are."
        ),
        "proposed": required(
            Anything(), nullable=True, help="The values that an approval makes public, by field."
        ),
        "differences": required(DIFFERENCES, help="The fields that differ between them."),
        "digest": required(Str(), nullable=True, help="The SHA-256 digest of the proposed values."),
        "revision": required(
            Int(1),
            nullable=True,
            help="The number of the revision with the proposed values; null if there is none yet.",
        ),
        "moves": required(
            ListOf(Object(_MOVE)), help="The last 100 moves of the item, the newest first."
        ),
    },
    name="ApprovalProposal",
    help="An item with its live and its proposed values.",
)
"""An item as an approver sees it."""


def pending_query(names: Iterable[str]) -> colander.SchemaNode:
    """Return the query of the list of pending items: a content type, and the caller's items."""
    return schema(
        {
            "contentType": optional(
                Choice(*names), nullable=False, help="Only items of this content type."
            ),
            "assignedToMe": optional(
                Bool(), nullable=False, help="Only items that you were asked to approve."
            ),
        }
    )


REVIEWERS = ListOf(Object(USER_REFERENCE))


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
