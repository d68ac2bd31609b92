"""Reading delivery status reports (RFC 3464, RFC 6533) and feedback reports (RFC 5965)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from email.message import Message

from masthead_email.bounces.parts import Fields, fields, text_of
from masthead_email.failures import Failure, classify

FAILED = "failed"
_STATUS = re.compile(r"([245])\.(\d{1,3})\.(\d{1,3})")
_STATUS_FIELDS = re.compile(r"^(?:final-recipient|original-recipient|action)[ \t]*:", re.I | re.M)
_FEEDBACK_FIELDS = re.compile(r"^feedback-type[ \t]*:", re.I | re.M)
_REACHED = frozenset(("delivered", "relayed", "expanded"))
_COMPLAINTS = frozenset(("abuse", "fraud", "opt-out", "opt-out-list", "unsubscribe", "complaint"))
_STATUS_TYPES = ("message/delivery-status", "message/global-delivery-status")
_FEEDBACK_TYPES = ("message/feedback-report",)
_MAX_TEXT = 300


@dataclass(frozen=True)
class Status:
    """The status of one recipient."""

    action: str
    """``failed``, ``delayed``, ``delivered`` …"""
    failure: Failure | None
    """The class, if the delivery has failed."""
    text: str
    """The status code and the reply of the remote server."""


def read_statuses(parts: Iterable[Message], explanation: str) -> list[Status]:
    """Return the statuses in the parts of a report, also if their media type is wrong.

    :param explanation: the text for humans, which may name the cause if the fields don't.
    """
    groups = _groups(parts, _STATUS_TYPES, _STATUS_FIELDS)
    return [status for each in groups if (status := _status(each, explanation)) is not None]


def read_feedback(parts: Iterable[Message]) -> Fields | None:
    """Return the fields of a feedback report; None if the message is none."""
    groups = _groups(parts, _FEEDBACK_TYPES, _FEEDBACK_FIELDS)
    return next((each for each in groups if "feedback-type" in each), None)


def is_complaint(feedback: Fields) -> bool:
    """Whether a feedback report is a complaint, not a report about authentication or a virus."""
    return feedback["feedback-type"].strip().lower() in _COMPLAINTS


def deciding(statuses: list[Status]) -> Status:
    """Return the status that decides about a delivery.

    An address may forward to several others: it exists if one of them was reached.
    """
    reached = [each for each in statuses if each.action in _REACHED]
    failed = [each for each in statuses if each.action == FAILED]
    gone = [each for each in failed if each.failure is Failure.RECIPIENT_GONE]
    return next(iter((*reached, *gone, *failed)), statuses[0])


def short(text: str) -> str:
    """Return a text as one printable line of limited length."""
    printable = "".join(c if c.isprintable() else " " for c in text)
    return " ".join(printable.split())[:_MAX_TEXT]


def _groups(
    parts: Iterable[Message], types: tuple[str, ...], marks: re.Pattern[str]
) -> Iterator[Fields]:
    """Yield the groups of fields in parts of these types, or in others that contain the marks."""
    for part in parts:
        declared = part.get_content_type() in types
        if declared or part.get_content_maintype() in ("text", "application", "message"):
            text = text_of(part)
            if declared or marks.search(text):
                yield from fields(text)


def _status(group: Fields, explanation: str) -> Status | None:
    """Return the status of a group of fields; None if it is about no recipient."""
    action = group.get("action", "").lower().partition(" ")[0].strip(";,.")
    found = _STATUS.search(group.get("status", ""))
    code = ".".join(found.groups()) if found else None
    if not action:
        if code is None or not any(name.endswith("-recipient") for name in group):
            return None
        action = {"5": FAILED, "4": "delayed"}.get(code[0], "delivered")
    if action != FAILED:
        return Status(action, None, short(code or action))
    diagnostic = group.get("diagnostic-code", "")
    failure = classify(None, code, diagnostic)
    if failure is Failure.UNKNOWN and explanation:
        failure = classify(None, code, f"{diagnostic} {explanation}")
    return Status(action, failure, short(f"{code or ''} {diagnostic}"))
