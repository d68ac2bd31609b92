"""E-mails that core and plugins send, and the record of sent ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from datetime import datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlalchemy import Select

ACCOUNT = "account"
"""The kind of a mail about its recipient's account: it may hold a secret, and reaches people who
have unsubscribed."""


@dataclass(frozen=True, kw_only=True)
class Mail:
    """An e-mail to one person, from a template that staff wrote or from its own text."""

    to: str
    """The address of the recipient."""
    kind: str
    """The reason for the e-mail in a word or two: ``follow-up``."""
    template_id: int | None = None
    """The id of the template; None for an e-mail with its own ``subject`` and ``text``."""
    subject: str = ""
    text: str = ""
    variables: Mapping[str, str] = dataclass_field(default_factory=dict)
    """The values of the placeholders in subject and text, by name."""
    reply_to: str | None = None
    """The address for replies, if it isn't the sender's."""


@dataclass(frozen=True)
class MailRecord:
    """An e-mail that was sent to an address or is queued."""

    id: int
    subject: str
    kind: str
    """``newsletter``, ``composed``, ``follow-up`` …"""
    status: str
    """``queued``, ``sent`` or ``failed``."""
    sent_at: datetime | None


@dataclass(frozen=True)
class MailHistory:
    """The e-mails of an address."""

    permission: str
    """The permission that reading them needs, whether there are any or not."""
    mails: Sequence[MailRecord]
    """Newest first, at most a hundred."""


@dataclass(frozen=True)
class CausingMail:
    """The mail that led to a suppression."""

    kind: str
    """``newsletter``, ``composed``, ``follow-up`` …"""
    id: int | None
    """The id of the newsletter or the composed e-mail; None for other mail."""
    subject: str


@dataclass(frozen=True)
class MailSuppression:
    """The reason why an address receives no mail."""

    kind: str
    """The reason in a word, such as ``recipient-gone`` or ``complaint``."""
    since: datetime
    reason: str | None
    """The words of the server, the provider or the user; None where the reader may not see them."""
    mail: CausingMail | None
    """The mail that led to it; None where there is none, or the reader may not see it."""


@dataclass(frozen=True)
class MailSuppressions:
    """The suppressed ones of some addresses."""

    permission: str
    """The permission that reading ``reason`` and ``mail`` needs."""
    by_address: Mapping[str, MailSuppression]
    every: Select[Any] | None = None
    """A query of all suppressed addresses, in lower case and in one column, by which lists of
    persons are filtered; None if there is none."""
