"""The event of a transition."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class TransitionName(StrEnum):
    """The names of all transitions, as events, audit entries and webhooks have them."""

    REQUEST = "request"
    VOTE = "vote"
    """An approval of an item that needs further ones."""
    APPROVE = "approve"
    """The approval after which the item is approved."""
    REJECT = "reject"
    WITHDRAW = "withdraw"
    PUBLISH = "publish"
    """An import that publishes at once."""


@dataclass(frozen=True)
class Transitioned:
    """An item was requested, approved, rejected, withdrawn or published by an import."""

    transition: TransitionName
    content_type: str
    item_id: int
    title: str
    actor_id: int | None
    """The acting user; None for the command line."""
    requester_id: int | None
    """The user who requested the approval."""
    reason: str | None = None
    """The reason for a rejection, where one was given."""
    comment: str | None = None
    """The comment on a request or an approval, where one was given."""
    author_ids: tuple[int, ...] = ()
    """The users who created the item and edited it last."""
    approvers: int | None = None
    """The number of users who can approve a requested item; None for other transitions."""
    required: int = 1
    """The number of users who have to approve the item."""
    approvals: int | None = None
    """The number of users who have approved it; None if one is enough, or for other transitions."""
    reviewer_id: int | None = None
    """The user who is asked to approve a requested item; None if all approvers are."""
