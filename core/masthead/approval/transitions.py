"""The transitions of the approval workflow: data, and the only code that changes a state."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from masthead.approval.declaration import APPROVED, DRAFT, PENDING, REJECTED
from masthead.errors import Refused


@dataclass(frozen=True)
class Transition:
    """A way from some states to another."""

    name: str
    sources: tuple[str, ...]
    target: str


REQUEST = Transition("request", (DRAFT, REJECTED), PENDING)
APPROVE = Transition("approve", (PENDING,), APPROVED)
REJECT = Transition("reject", (PENDING,), REJECTED)
PUBLISH = Transition("publish", (DRAFT,), APPROVED)
"""An import that publishes at once: whoever may run commands on the server may do this."""


def check_state(item: Any, transition: Transition) -> None:
    """Refuse a transition that the item's state doesn't allow.

    :raises Refused: saying which state stands in the way.
    """
    if item.approval_status in transition.sources:
        return
    if transition is REQUEST:
        state = "pending approval" if item.approval_status == PENDING else "approved"
        raise Refused(f"Already {state}")
    raise Refused("Not pending approval")


def enter(
    item: Any, transition: Transition, actor_id: int | None, now: datetime, reason: str | None
) -> None:
    """Put an item into the target state, with who and when."""
    item.approval_status = transition.target
    if transition is REQUEST:
        item.approval_requested_at, item.approval_requested_by = now, actor_id
        item.rejected_at = item.rejected_by = item.rejection_reason = None
    elif transition is REJECT:
        item.rejected_at, item.rejected_by, item.rejection_reason = now, actor_id, reason
    else:
        item.approved_at, item.approved_by = now, actor_id


def return_to_draft(item: Any) -> None:
    """What was approved or asked for has been edited: it has to be asked for again."""
    if item.approval_status in (APPROVED, PENDING):
        item.approval_status = DRAFT


def restore_approval(item: Any) -> None:
    """The staged copy is dropped: what remains is the live copy, which was approved."""
    item.approval_status = APPROVED
    item.rejected_at = item.rejected_by = item.rejection_reason = None
