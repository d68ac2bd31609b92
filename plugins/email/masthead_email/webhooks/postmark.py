"""The events of Postmark."""

from __future__ import annotations

from collections.abc import Iterator

from masthead_email.bounces.reading import Kind
from masthead_email.bounces.reports import short
from masthead_email.failures import Failure
from masthead_email.webhooks.events import Event, complaint, failure_of, parse_json, text_at

_TYPES = {
    "HardBounce": Failure.RECIPIENT_GONE,
    "BadEmailAddress": Failure.RECIPIENT_GONE,
    "SoftBounce": Failure.TRANSIENT,
    "DnsError": Failure.TRANSIENT,
    "SpamNotification": Failure.CONTENT_REFUSED,
    "VirusNotification": Failure.CONTENT_REFUSED,
    "Blocked": Failure.SENDER_REFUSED,
    "DMARCPolicy": Failure.SENDER_REFUSED,
    "SMTPApiError": Failure.SENDER_REFUSED,
    "ManuallyDeactivated": Failure.POLICY,
    "Unknown": Failure.UNKNOWN,
}
"""The class of each type of bounce; the other types, such as automatic replies, are ignored."""


def read_events(body: bytes) -> Iterator[Event]:
    """Yield the failure or complaint of an authentic request."""
    payload = parse_json(body)
    record, kind = text_at(payload, "RecordType"), text_at(payload, "Type")
    name = text_at(payload, "Metadata", "masthead")
    if record == "SpamComplaint" or (record == "Bounce" and kind == "SpamComplaint"):
        yield complaint("Complaint", name)
    elif record == "Bounce" and kind in _TYPES:
        words = text_at(payload, "Details") or text_at(payload, "Description")
        failure = failure_of("", words, _TYPES[kind])
        if failure is Failure.RECIPIENT_GONE:
            failure = _TYPES[kind]
        yield Event(Kind.FAILURE, short(words), failure, (name,))
