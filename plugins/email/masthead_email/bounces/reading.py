"""Reading a message that has returned: the failures and complaints that it reports."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message
from enum import StrEnum

from masthead_email.bounces.parts import field, parse, split, text_of
from masthead_email.bounces.plain import explanation_of, is_bounce, is_delayed, read_failure
from masthead_email.bounces.reports import (
    FAILED,
    deciding,
    is_complaint,
    read_feedback,
    read_statuses,
    short,
)
from masthead_email.failures import Failure

_RETURN_PATH = re.compile(r"\+\d{1,18}-[0-9a-fA-F]{16}@")
_UNSUBSCRIBE = re.compile(r"/unsubscribe/(d?\d{1,19}-[\w-]{24})(?![\w-])")
_RECIPIENT_FIELDS = (
    *("To", "Delivered-To", "X-Original-To", "Envelope-To", "X-Envelope-To", "Apparently-To"),
    *("X-Delivered-To", "X-Forwarded-To", "Resent-To", "X-RCPT-TO", "X-Real-To"),
)
_MAX_DEPTH = 10
_MAX_ITEMS = 100
"""The maximum number of fields with a name, and of return paths and links of a report."""


class Kind(StrEnum):
    """The meaning of a report for its delivery."""

    FAILURE = "failure"
    COMPLAINT = "complaint"
    NOTHING = "nothing"
    """The message is no report, or one that changes nothing."""


@dataclass(frozen=True)
class Report:
    """A failure or complaint, and the proofs of the delivery that it is about."""

    kind: Kind
    text: str
    """The words of the server; for ``NOTHING`` the reason."""
    failure: Failure | None = None
    return_paths: tuple[tuple[str, ...], ...] = ()
    """The possible return paths in groups: those of a group count if no group before is valid."""
    links: tuple[str, ...] = ()
    """The possible tokens of unsubscribe links in the message that a person complains about."""


def read_reports(octets: bytes) -> list[Report]:
    """Return the reports in a message; a forwarded message may attach several.

    A message without a report has one of the kind ``NOTHING``.
    """
    return list(_read(parse(octets), (), _MAX_DEPTH))[:_MAX_ITEMS]


def _read(message: Message, outer: tuple[str, ...], depth: int) -> Iterator[Report]:
    parts, attached = split(message)
    explanation = explanation_of(parts)
    addressed = _addressed(message)
    feedback = read_feedback(parts)
    statuses = read_statuses(parts, explanation) if feedback is None else []
    is_report = feedback is not None or statuses or is_bounce(message, explanation)
    if attached and not is_report and not _is_outlook_complaint(attached[0]):
        if depth:
            for each in attached:
                yield from _read(each, addressed or outer, depth - 1)
        return
    sources = [*map(text_of, parts), *_sources(attached)]
    paths = (addressed, outer, _found(_RETURN_PATH, sources))
    if feedback is not None or _is_outlook_complaint(*attached[:1]):
        if feedback is not None and not is_complaint(feedback):
            reason = f"it is a feedback report of the type {short(feedback['feedback-type'])}"
            yield Report(Kind.NOTHING, reason)
            return
        words = f"Feedback report: {feedback['feedback-type'] if feedback else 'abuse'}"
        yield Report(Kind.COMPLAINT, short(words), None, paths, _found(_UNSUBSCRIBE, sources))
    elif statuses:
        status = deciding(statuses)
        if status.action != FAILED:
            yield Report(Kind.NOTHING, f"it reports that the message is {short(status.action)}")
            return
        yield Report(Kind.FAILURE, status.text, status.failure, paths)
    elif not is_report:
        yield Report(Kind.NOTHING, "it is no report of a failure")
    elif is_delayed(message, explanation):
        yield Report(Kind.NOTHING, "it reports that the message is delayed")
    else:
        failure, words = read_failure(explanation)
        yield Report(Kind.FAILURE, short(words), failure, paths)


def _addressed(message: Message) -> tuple[str, ...]:
    """Return the possible return paths among the addresses that a message was sent to."""
    values = [
        str(value)
        for name in _RECIPIENT_FIELDS
        for value in (message.get_all(name) or [])[:_MAX_ITEMS]
    ]
    return _found(_RETURN_PATH, values)


def _sources(attached: list[Message]) -> Iterator[str]:
    """Yield the header and the texts of messages, one string each."""
    for message in attached:
        # A field may be folded inside a link.
        yield "\n".join(re.sub(r"\r?\n[ \t]+", "", str(value)) for value in message.values())
        yield from map(text_of, split(message)[0])


def _found(pattern: re.Pattern[str], texts: list[str]) -> tuple[str, ...]:
    found = (match for text in texts for match in pattern.findall(text)[:_MAX_ITEMS])
    return tuple(dict.fromkeys(found))[:_MAX_ITEMS]


def _is_outlook_complaint(message: Message | None = None) -> bool:
    """Whether an attached message is a complaint by the programme of Outlook.com (JMRP)."""
    return message is not None and bool(field(message, "X-HmXmrOriginalRecipient"))
