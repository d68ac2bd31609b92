"""Reading reports of mail that couldn't be delivered (RFC 3464)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes
from email.message import Message

LARGEST = 10 * 1024 * 1024
"""Octets of a report that are looked at."""
_STATUS = re.compile(r"\s*([245])\.(\d{1,3})\.(\d{1,3})")
_RETURN_FIELDS = ("To", "Delivered-To", "X-Original-To", "Envelope-To", "X-Envelope-To")
_MANY = 100
"""Recipients of one report, and addresses of one field, that are looked at."""


@dataclass(frozen=True)
class Report:
    """What a report says of one recipient."""

    status: str
    """As in ``5.1.1``."""
    action: str
    """``failed``, ``delayed``, ``delivered`` …"""
    why: str
    """What the other server said."""

    @property
    def hard(self) -> bool:
        """Whether the address will never take mail.

        A full mailbox (5.2.2) or refused content (5.6, 5.7) says nothing of the address.
        """
        return self.action == "failed" and self.status.startswith(("5.1.", "5.2.1", "5.4.1"))


@dataclass(frozen=True)
class Returned:
    """A report, and the addresses that it was sent to."""

    sent_to: list[str]
    reports: list[Report]


def read(octets: bytes) -> Returned:
    """Read a mail; one that is no report of a delivery has no reports."""
    message = message_from_bytes(octets[:LARGEST])
    sent_to = [
        address.lower()
        for field in _RETURN_FIELDS
        for value in message.get_all(field, [])[:_MANY]
        for address in re.findall(r"[^\s<>,;\"]{1,320}@[^\s<>,;\"]{1,255}", str(value))[:_MANY]
    ]
    return Returned(sent_to, list(_reports(message))[:_MANY])


def _reports(message: Message) -> Iterator[Report]:
    for part in message.walk():
        if part.get_content_type() != "message/delivery-status":
            continue
        # The parser makes a message of each group of fields; the first is about the report.
        groups = part.get_payload()
        for group in groups if isinstance(groups, list) else ():
            report = _report(group) if isinstance(group, Message) else None
            if report is not None:
                yield report


def _report(fields: Message) -> Report | None:
    status = _STATUS.match(str(fields.get("Status", "")))
    if status is None:
        return None
    why = " ".join(str(fields.get("Diagnostic-Code", "")).split())
    return Report(
        status=".".join(status.groups()),
        action=str(fields.get("Action", "")).strip().lower(),
        why="".join(c for c in why if c.isprintable())[:300],
    )
