"""The declaration of proposals as a resource, which gives staff the usual endpoints."""

from __future__ import annotations

from sqlalchemy.orm import Session

from masthead import TIMES, Int, ItemSave, Nullable, ProblemCode, Resource, wrong_field
from masthead_actions.models import ACCEPTED, Proposal


def check_status(_session: Session, save: ItemSave) -> None:
    """Refuse to change the status to or from ``accepted``, which only accepting a proposal sets.

    :raises Invalid: if status and ``acceptedAt`` contradict each other.
    """
    if (save.after["status"] == ACCEPTED) != (save.after["acceptedAt"] is not None):
        message = "Only accepting a proposal makes it accepted, and for good"
        raise wrong_field("status", ProblemCode.NOT_ALLOWED, message)


PROPOSALS = Resource(
    name="proposals",
    label="Proposal",
    model=Proposal,
    area="proposals",
    path="action-proposals",
    filters=("status",),
    person="contactEmail",
    operations=("list", "show", "update", "delete"),
    editable=("status", "notes"),
    shows={
        "actionId": Nullable(Int()).described(
            "The id of the action that was made from it; null for none."
        ),
        **TIMES,
    },
    before_change=check_status,
)
