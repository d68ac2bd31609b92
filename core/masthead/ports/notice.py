"""What users are told, whoever hears it and by whatever way."""

from __future__ import annotations

from dataclasses import dataclass

APPROVAL_REQUEST = "approval_request"
APPROVAL_APPROVED = "approval_approved"
APPROVAL_REJECTED = "approval_rejected"
SYSTEM = "system"
TYPES = (APPROVAL_REQUEST, APPROVAL_APPROVED, APPROVAL_REJECTED, SYSTEM)


@dataclass(frozen=True)
class Notice:
    """What is said, whoever hears it."""

    title: str
    message: str
    """Who is no user is named as ``Name (address)``: by that it is found when they ask to be
    forgotten."""
    type: str = SYSTEM
    """One of ``TYPES``."""
    content_type: str | None = None
    content_id: int | None = None
    reply_to: str | None = None
    """The e-mail address of the visitor whom an answer should reach."""
