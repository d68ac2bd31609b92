"""Taking proposals of actions from outside, and what staff do with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session, defer

from masthead import (
    Caller,
    Forbidden,
    NotFound,
    Notice,
    Page,
    Refused,
    create_draft,
    holders,
    notify,
    record,
    utcnow,
)
from masthead_actions.contenttype import ACTIONS
from masthead_actions.models import ACCEPTED, Proposal


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
    notify(session, holders("proposals.read"), Notice("New action proposal", message))
    return proposal


def list_proposals(session: Session, limit: int, offset: int, *, status: str | None = None) -> Page:
    """A page of proposals without their content, newest first.

    :param status: leaves only those in that state.
    """
    proposals = select(Proposal)
    if status is not None:
        proposals = proposals.where(Proposal.status == status)
    total = session.scalar(select(func.count()).select_from(proposals.subquery())) or 0
    newest = proposals.order_by(Proposal.created_at.desc(), Proposal.id.desc())
    page = newest.limit(limit).offset(offset).options(defer(Proposal.content, raiseload=True))
    return Page(session.scalars(page).all(), total)


def get_proposal(session: Session, proposal_id: int, *, for_update: bool = False) -> Proposal:
    """A proposal by id, as the database has it now where it is read ``for_update``.

    :raises NotFound: where there is none.
    """
    proposal = session.get(
        Proposal, proposal_id, with_for_update=for_update, populate_existing=for_update
    )
    if proposal is None:
        raise NotFound("Proposal not found")
    return proposal


def update_proposal(session: Session, proposal_id: int, sent: Mapping[str, Any]) -> Proposal:
    """Change a proposal's status or notes.

    :param sent: the checked body by wire name.
    :raises NotFound: where there is none.
    :raises Refused: where the status would become, or cease to be, accepted.
    """
    proposal = get_proposal(session, proposal_id, for_update=True)
    status = sent.get("status", proposal.status)
    if status != proposal.status:
        if ACCEPTED in (status, proposal.status):
            raise Refused("status: Only accepting a proposal makes it accepted, and for good")
        proposal.status = status
    if "notes" in sent:
        proposal.notes = sent["notes"]
    if session.is_modified(proposal):
        proposal.updated_at = utcnow()
    return proposal


def delete_proposal(session: Session, proposal_id: int, caller: Caller) -> None:
    """Delete a proposal for good; an action that it became stays.

    :raises NotFound: where there is none.
    """
    proposal = get_proposal(session, proposal_id, for_update=True)
    _record(session, "proposal.delete", proposal, caller)
    session.delete(proposal)


def accept_proposal(session: Session, proposal_id: int, caller: Caller) -> int:
    """Make a draft action of a proposal, once.

    :returns: the action's id.
    :raises NotFound: where there is no such proposal.
    :raises Forbidden: where the caller may not create actions.
    :raises Refused: where it has been accepted before.
    """
    proposal = get_proposal(session, proposal_id, for_update=True)
    if not caller.may(ACTIONS.write_permission):
        raise Forbidden
    if proposal.status == ACCEPTED:
        raise Refused("The proposal has already been accepted")
    action = create_draft(session, ACTIONS, _action_values(proposal), caller)
    proposal.status, proposal.action_id = ACCEPTED, action.id
    proposal.updated_at = utcnow()
    _record(session, "proposal.accept", proposal, caller, action=action.id)
    return int(action.id)


def _action_values(proposal: Proposal) -> dict[str, Any]:
    """What the draft starts from."""
    return {
        "title": proposal.title,
        "description": proposal.description,
        "content": proposal.content,
        "coverImageUrl": next(iter(proposal.image_urls), None),
    }


def _record(
    session: Session, action: str, proposal: Proposal, caller: Caller, **detail: Any
) -> None:
    record(
        session,
        action,
        caller.id,
        content_type="proposal",
        content_id=proposal.id,
        title=proposal.title,
        **detail,
    )
