"""The declaration of proposals as a resource, which gives staff the usual endpoints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from masthead import TIMES, Int, Nullable, ProblemCode, Resource, wrong_field
from masthead_actions.models import ACCEPTED, Proposal


def check_status(values: Mapping[str, Any]) -> None:
    """Refuse to change the status to or from ``accepted``, which only accepting a proposal sets.

    :param values: all fields by wire name.
    :raises Invalid: if status and ``acceptedAt`` contradict each other.
    """
    if (values["status"] == ACCEPTED) != (values["acceptedAt"] is not None):
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
    check=check_status,
)
