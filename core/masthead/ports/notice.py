"""The content of notifications, independent of recipients and delivery."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field

APPROVAL_REQUEST = "approval_request"
APPROVAL_APPROVED = "approval_approved"
APPROVAL_REJECTED = "approval_rejected"
APPROVAL_RETURNED = "approval_returned"
SYSTEM = "system"
TYPES = (APPROVAL_REQUEST, APPROVAL_APPROVED, APPROVAL_REJECTED, APPROVAL_RETURNED, SYSTEM)


@dataclass(frozen=True)
class Notice:
    """The content of a notification."""

    title: str
    message: str
    """A person who is no user is named as ``Name (address)``, so that the notice is found when
    the person's data is erased."""
    type: str = SYSTEM
    """One of ``TYPES``."""
    content_type: str | None = None
    content_id: int | None = None
    reply_to: str | None = None
    """The e-mail address of the visitor who should receive a reply."""
    mail: str = "core/mails/notice.txt"
    """The template of an e-mail about it, with the blocks ``subject`` and ``text``. It knows
    ``title``, ``message`` and ``mail_values``, and names a person as the message does."""
    mail_values: Mapping[str, object] = dataclass_field(default_factory=dict)
    """The values that the template uses."""
    personal: bool = False
    """Whether an e-mail about a system notification goes to its recipients rather than to the
    addresses of staff."""
