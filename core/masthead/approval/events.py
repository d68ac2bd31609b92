"""What the rest hears of a transition."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Transitioned:
    """An item was requested, approved, rejected or published by an import."""

    transition: str
    """``request``, ``approve``, ``reject`` or ``publish`` (an import that publishes at once)."""
    content_type: str
    item_id: int
    title: str
    actor_id: int | None
    """Who did it; None where it was done from the command line."""
    requester_id: int | None
    """Who had asked for the approval."""
    reason: str | None = None
    """Why it was rejected, where a reason was given."""
