"""Parsing delivery status notifications (RFC 3464)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes
from email.message import Message

from masthead_email.failures import Failure, classify

MAX_SIZE = 10 * 1024 * 1024
"""The maximum number of bytes of a notification that are parsed."""
_STATUS = re.compile(r"\s*([245])\.(\d{1,3})\.(\d{1,3})")
_RECIPIENT_FIELDS = ("To", "Delivered-To", "X-Original-To", "Envelope-To", "X-Envelope-To")
_MAX_ITEMS = 100
"""The maximum number of recipients of a notification, and of addresses of a field."""


@dataclass(frozen=True)
class Report:
    """The status of one recipient."""

    status: str
    """The enhanced status code, such as ``5.1.1``."""
    action: str
    """``failed``, ``delayed``, ``delivered`` …"""
    diagnostic: str
    """The reply of the remote server."""

    @property
    def failure(self) -> Failure:
        """The class of the failure."""
        return classify(None, self.status, self.diagnostic)


@dataclass(frozen=True)
class Notification:
    """A delivery status notification, and the addresses that it was sent to."""

    sent_to: list[str]
    reports: list[Report]


def parse_notification(octets: bytes) -> Notification:
    """Parse a message; a message of another type has no reports."""
    message = message_from_bytes(octets[:MAX_SIZE])
    sent_to = [
        address.lower()
        for field in _RECIPIENT_FIELDS
        for value in message.get_all(field, [])[:_MAX_ITEMS]
        for address in re.findall(r"[^\s<>,;\"]{1,320}@[^\s<>,;\"]{1,255}", str(value))[:_MAX_ITEMS]
    ]
    return Notification(sent_to, list(_reports(message))[:_MAX_ITEMS])


def _reports(message: Message) -> Iterator[Report]:
    for part in message.walk():
        if part.get_content_type() != "message/delivery-status":
            continue
        # The parser returns each group of fields as a message; the first group has no recipient.
        groups = part.get_payload()
        for group in groups if isinstance(groups, list) else ():
            report = _report(group) if isinstance(group, Message) else None
            if report is not None:
                yield report


def _report(fields: Message) -> Report | None:
    status = _STATUS.match(str(fields.get("Status", "")))
    if status is None:
        return None
    diagnostic = " ".join(str(fields.get("Diagnostic-Code", "")).split())
    return Report(
        status=".".join(status.groups()),
        action=str(fields.get("Action", "")).strip().lower(),
        diagnostic="".join(c for c in diagnostic if c.isprintable())[:300],
    )
