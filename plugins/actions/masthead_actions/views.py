"""The proposals' endpoints."""

from __future__ import annotations

from typing import Any

from pyramid.request import Request

from masthead import Page, check_submission
from masthead_actions import services
from masthead_actions.models import Proposal

KIND = "action-proposals"
THANKS = "Thank you! Your proposal has arrived, and we will look at it."


def submit(request: Request) -> Any:
    """Somebody proposes an action."""
    sent = check_submission(request, KIND)
    proposal = services.submit_proposal(request.db, sent)
    return {"success": True, "message": THANKS, "id": proposal.id}


def list_proposals(request: Request) -> Page:
    """All proposals, newest first."""
    window = request.window
    status = request.query.get("status")
    return services.list_proposals(request.db, window.limit, window.offset, status=status)


def show_proposal(request: Request) -> Proposal:
    """One proposal with its content."""
    return services.get_proposal(request.db, request.matchdict["id"])


def update_proposal(request: Request) -> Proposal:
    """Note something, or say how far it got."""
    return services.update_proposal(request.db, request.matchdict["id"], request.data)


def delete_proposal(request: Request) -> Any:
    """Delete a proposal."""
    services.delete_proposal(request.db, request.matchdict["id"], request.identity)
    return {"success": True}


def accept_proposal(request: Request) -> Any:
    """Make a draft action of a proposal."""
    action_id = services.accept_proposal(request.db, request.matchdict["id"], request.identity)
    return {"success": True, "id": action_id}
