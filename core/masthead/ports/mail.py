"""Mails that core and plugins hand over for delivery, and records of delivered ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from datetime import datetime

ACCOUNT = "account"
"""The kind of a mail about its recipient's account: it may hold a secret, and reaches people who
have unsubscribed."""


@dataclass(frozen=True, kw_only=True)
class Mail:
    """A mail to one person, made from a template that staff wrote or from texts of its own."""

    to: str
    """The address."""
    kind: str
    """Why it is sent, in a word or two: ``follow-up``."""
    template_id: int | None = None
    """The template; where there is none, ``subject`` and ``text`` say everything."""
    subject: str = ""
    text: str = ""
    variables: Mapping[str, str] = dataclass_field(default_factory=dict)
    """What the placeholders of subject and texts stand for, by name."""
    reply_to: str | None = None
    """Where an answer goes, if not to the sender."""


@dataclass(frozen=True)
class MailRecord:
    """A mail that was sent to somebody, or will be."""

    id: int
    subject: str
    kind: str
    """``newsletter``, ``composed``, ``follow-up`` …"""
    status: str
    """``queued``, ``sent`` or ``failed``."""
    sent_at: datetime | None
