"""The content of notifications, independent of recipients and delivery."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from enum import StrEnum


class NoticeType(StrEnum):
    """The types of notifications."""

    APPROVAL_REQUEST = "approval_request"
    """The approval of an item was requested; it waits for the recipient."""
    APPROVAL_APPROVED = "approval_approved"
    """The item whose approval the recipient has requested was approved."""
    APPROVAL_REJECTED = "approval_rejected"
    """The item that the recipient has requested or written was rejected."""
    APPROVAL_RETURNED = "approval_returned"
    """The request of the recipient ended without a decision: the item is a draft again."""
    SYSTEM = "system"
    """Anything else, such as the notifications of plugins."""


@dataclass(frozen=True)
class Notice:
    """The content of a notification."""

    title: str
    message: str
    """A person who is no user is named as ``Name (address)``, so that the notice is found when
    the person's data is erased."""
    type: NoticeType = NoticeType.SYSTEM
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

    def __post_init__(self) -> None:
        """Check the type.

        :raises ValueError: if it is none of ``NoticeType``.
        """
        object.__setattr__(self, "type", NoticeType(self.type))
