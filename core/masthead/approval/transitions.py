"""The transitions of the approval workflow as data, and the only code that changes a state."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from masthead.approval.declaration import APPROVED, DRAFT, PENDING, REJECTED
from masthead.approval.events import TransitionName
from masthead.errors import Refused


@dataclass(frozen=True)
class Transition:
    """A change from any of several states to one state."""

    name: TransitionName
    sources: tuple[str, ...]
    target: str


REQUEST = Transition(TransitionName.REQUEST, (DRAFT, REJECTED), PENDING)
APPROVE = Transition(TransitionName.APPROVE, (PENDING,), APPROVED)
REJECT = Transition(TransitionName.REJECT, (PENDING,), REJECTED)
VOTE = Transition(TransitionName.VOTE, (PENDING,), PENDING)
"""An approval of an item that needs further ones."""
WITHDRAW = Transition(TransitionName.WITHDRAW, (PENDING,), DRAFT)
PUBLISH = Transition(TransitionName.PUBLISH, (DRAFT,), APPROVED)
"""Publishing by an import, which anyone who may run commands on the server may do."""


def check_state(item: Any, transition: Transition) -> None:
    """Refuse a transition that the item's state doesn't allow.

    :raises Refused: naming the state.
    """
    if item.approval_status in transition.sources:
        return
    if transition is REQUEST:
        state = "pending approval" if item.approval_status == PENDING else "approved"
        raise Refused(f"Already {state}")
    raise Refused("Not pending approval")


def enter(
    item: Any, transition: Transition, actor_id: int | None, now: datetime, remark: str | None
) -> None:
    """Put an item into the target state, and store the actor, the time and the remark.

    :param remark: the reason of a rejection; the comment on any other transition.
    """
    item.approval_status = transition.target
    if transition is VOTE:
        return
    if transition is REQUEST:
        item.approval_requested_at, item.approval_requested_by = now, actor_id
        item.rejected_at = item.rejected_by = item.rejection_reason = None
    elif transition is REJECT:
        item.rejected_at, item.rejected_by, item.rejection_reason = now, actor_id, remark
    elif transition is not WITHDRAW:
        item.approved_at, item.approved_by = now, actor_id
    if transition is not REJECT:
        item.approval_comment = remark


def return_to_draft(item: Any) -> None:
    """Return an edited item to draft, where it was approved or pending."""
    if item.approval_status in (APPROVED, PENDING):
        item.approval_status = DRAFT


def end_request(item: Any) -> None:
    """Return an item whose approval was requested to draft."""
    if item.approval_status == PENDING:
        item.approval_status = DRAFT


def restore_approval(item: Any) -> None:
    """Restore the approval of the live copy after its staged copy was deleted."""
    item.approval_status = APPROVED
    item.approval_comment = None
    item.rejected_at = item.rejected_by = item.rejection_reason = None
