"""Store visitors' proposals of actions, and create actions from them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead import (
    Caller,
    Forbidden,
    Instance,
    Notice,
    Refused,
    change_links,
    create_draft,
    holders,
    lock_row,
    notify,
    record,
    utcnow,
)
from masthead_actions.contenttype import ACTIONS
from masthead_actions.models import ACCEPTED, Proposal
from masthead_actions.resource import PROPOSALS


def submit_proposal(session: Session, sent: Mapping[str, Any]) -> Proposal:
    """Store a proposal, and notify the staff who can read proposals.

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
    sender = f"{proposal.contact_name} ({proposal.contact_email})"
    values = {
        "title": proposal.title,
        "description": proposal.description,
        "name": proposal.contact_name,
        "sender": sender,
    }
    notice = Notice(
        "New action proposal",
        f"{sender} proposes: {proposal.title}",
        reply_to=proposal.contact_email,
        mail="actions/mails/proposal.txt",
        mail_values=values,
    )
    notify(session, holders(PROPOSALS.read_permission), notice)
    return proposal


def copy_images(instance: Instance, proposal_id: int, caller: Caller) -> dict[str, str]:
    """Copy the images of a proposal to those of staff, before it is accepted.

    Copying is slow, so it precedes the transaction that accepts the proposal. It is idempotent.

    :returns: the address of each copy by the image's address; other images are not copied.
    """
    if not caller.may(ACTIONS.write_permission):
        return {}
    open_proposal = (Proposal.id == proposal_id, Proposal.status != ACCEPTED)
    with instance.database.read() as connection:
        found = connection.execute(
            select(Proposal.image_urls, Proposal.content).where(*open_proposal)
        )
        row = found.one_or_none()
    addresses = [*row.image_urls, *_addresses_in(row.content or "")] if row else []
    if not addresses:
        return {}
    copied = instance.hooks.masthead_copy_images(
        instance=instance, addresses=addresses, caller=caller
    )
    return {address: copy for copies in copied for address, copy in copies.items()}


def accept_proposal(
    session: Session, proposal_id: int, caller: Caller, copies: Mapping[str, str]
) -> int:
    """Create a draft action from a proposal, once.

    :param copies: the result of :func:`copy_images`.
    :returns: the action's id.
    :raises NotFound: if there is no such proposal.
    :raises Forbidden: if the caller may not create actions.
    :raises Refused: if it has been accepted before.
    """
    proposal = lock_row(session, Proposal, proposal_id)
    if not caller.may(ACTIONS.write_permission):
        raise Forbidden
    if proposal.status == ACCEPTED:
        raise Refused("The proposal has already been accepted")
    action = create_draft(session, ACTIONS, _action_values(proposal, copies), caller)
    proposal.status, proposal.action_id = ACCEPTED, action.id
    proposal.accepted_at = proposal.updated_at = utcnow()
    proposal.revision += 1
    record(
        session,
        "proposal.accept",
        caller,
        PROPOSALS.name,
        proposal,
        title=proposal.title,
        actionId=action.id,
    )
    return int(action.id)


def _addresses_in(content: str) -> list[str]:
    """Return the addresses of links and images in sanitised HTML."""
    found: list[str] = []

    def collect(address: str) -> str:
        found.append(address)
        return address

    change_links(content, collect)
    return found


def _action_values(proposal: Proposal, copies: Mapping[str, str]) -> dict[str, Any]:
    """Return the values of the draft by wire name."""
    content, cover = proposal.content, next(iter(proposal.image_urls), None)
    if content is not None:
        content = change_links(content, lambda address: copies.get(address, address))
    return {
        "title": proposal.title,
        "description": proposal.description,
        "content": content,
        "coverImageUrl": None if cover is None else copies.get(cover, cover),
    }
