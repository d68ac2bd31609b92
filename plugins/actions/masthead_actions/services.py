"""Taking proposals of actions from outside, and making actions of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy.orm import Session

from masthead import (
    Caller,
    Forbidden,
    NotFound,
    Notice,
    Refused,
    create_draft,
    holders,
    notify,
    record,
    utcnow,
)
from masthead_actions.contenttype import ACTIONS
from masthead_actions.models import ACCEPTED, Proposal
from masthead_actions.resource import PROPOSALS


def submit_proposal(session: Session, sent: Mapping[str, Any]) -> Proposal:
    """Store a proposal, and tell the staff who read proposals.

    :param sent: the checked body by wire name.
    """
    proposal = Proposal(
        title=sent["title"],
        description=sent["description"],
        content=sent.get("content"),
        image_urls=sent.get("imageUrls") or [],
        contact_name=sent["contactName"],
        contact_email=sent["contactEmail"],
        contact_phone=sent.get("contactPhone"),
    )
    session.add(proposal)
    session.flush()
    message = f"{proposal.contact_name} ({proposal.contact_email}) proposes: {proposal.title}"
    notify(session, holders(PROPOSALS.read_permission), Notice("New action proposal", message))
    return proposal


def accept_proposal(session: Session, proposal_id: int, caller: Caller) -> int:
    """Make a draft action of a proposal, once.

    :returns: the action's id.
    :raises NotFound: where there is no such proposal.
    :raises Forbidden: where the caller may not create actions.
    :raises Refused: where it has been accepted before.
    """
    proposal = session.get(Proposal, proposal_id, with_for_update=True, populate_existing=True)
    if proposal is None:
        raise NotFound
    if not caller.may(ACTIONS.write_permission):
        raise Forbidden
    if proposal.status == ACCEPTED:
        raise Refused("The proposal has already been accepted")
    action = create_draft(session, ACTIONS, _action_values(proposal), caller)
    proposal.status, proposal.action_id = ACCEPTED, action.id
    proposal.accepted_at = proposal.updated_at = utcnow()
    proposal.revision += 1
    record(
        session,
        "proposal.accept",
        caller.id,
        content_type=PROPOSALS.name,
        content_id=proposal.id,
        title=proposal.title,
        actionId=action.id,
    )
    return int(action.id)


def _action_values(proposal: Proposal) -> dict[str, Any]:
    """What the draft starts from."""
    return {
        "title": proposal.title,
        "description": proposal.description,
        "content": proposal.content,
        "coverImageUrl": next(iter(proposal.image_urls), None),
    }
