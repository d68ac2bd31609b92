"""The endpoints of proposals beside those of the resource kit."""

from __future__ import annotations

from typing import Any

from masthead import CREATED, PUBLIC, Request, check_submission, endpoint, form_answer
from masthead_actions import schemas, services
from masthead_actions.resource import PROPOSALS

SUBMISSION_KIND = "action-proposals"
"""The kind that the hook ``masthead_check_submission`` gets."""
THANKS = "Thank you! Your proposal has arrived, and we will look at it."


@endpoint(
    "POST",
    "/api/ycs/submit-action",
    name="proposals.submit",
    permission=PUBLIC,
    body=schemas.SUBMISSION,
    form=form_answer,
    returns=schemas.RECEIVED,
)
def submit_proposal(request: Request) -> dict[str, Any]:
    """Propose an action."""
    proposal = services.submit_proposal(request.db, check_submission(request, SUBMISSION_KIND))
    return {"success": True, "message": THANKS, "id": proposal.id}


@endpoint(
    "POST",
    f"/api/staff/{PROPOSALS.path}/{{id}}/accept",
    name="staff.proposals.accept",
    permission=PROPOSALS.write_permission,
    returns=CREATED,
    refuses=frozenset({400}),
)
def accept_proposal(request: Request) -> dict[str, Any]:
    """Create a draft action from a proposal."""
    proposal_id, caller = request.matchdict["id"], request.identity
    copies = services.copy_images(request.instance, proposal_id, caller)
    action_id = services.accept_proposal(request.db, proposal_id, caller, copies)
    return {"success": True, "id": action_id}
