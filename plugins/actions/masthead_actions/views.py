"""The proposals' endpoints beyond the kit's."""

from __future__ import annotations

from typing import Any

from masthead import Request, check_submission
from masthead_actions import services

KIND = "action-proposals"
"""What hooks know submissions as."""
THANKS = "Thank you! Your proposal has arrived, and we will look at it."


def submit_proposal(request: Request) -> Any:
    """Somebody proposes an action."""
    proposal = services.submit_proposal(request.db, check_submission(request, KIND))
    return {"success": True, "message": THANKS, "id": proposal.id}


def accept_proposal(request: Request) -> Any:
    """Make a draft action of a proposal."""
    proposal_id, caller = request.matchdict["id"], request.identity
    copies = services.copy_images(request.instance, proposal_id, caller)
    action_id = services.accept_proposal(request.db, proposal_id, caller, copies)
    return {"success": True, "id": action_id}
