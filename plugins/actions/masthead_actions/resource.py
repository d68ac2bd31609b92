"""The proposals as staff handle them; what can be done to any resource, the kit does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from masthead import Int, Invalid, Nullable, Resource, Timestamp
from masthead_actions.models import ACCEPTED, Proposal


def check_status(values: Mapping[str, Any]) -> None:
    """Leave it to accepting a proposal, and to nothing else, to make it accepted for good."""
    if (values["status"] == ACCEPTED) != (values["acceptedAt"] is not None):
        raise Invalid("status: Only accepting a proposal makes it accepted, and for good")


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
    shows={"actionId": Nullable(Int()), "createdAt": Timestamp(), "updatedAt": Timestamp()},
    check=check_status,
)
