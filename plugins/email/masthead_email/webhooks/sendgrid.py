"""SendGrid: signatures by ECDSA, and events."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from masthead_email.bounces.reading import Kind
from masthead_email.bounces.reports import short
from masthead_email.failures import Failure
from masthead_email.webhooks.events import (
    Event,
    complaint,
    failure_of,
    list_of,
    parse_json,
    text_at,
)

_SIGNATURE = "X-Twilio-Email-Event-Webhook-Signature"
_TIMESTAMP = "X-Twilio-Email-Event-Webhook-Timestamp"
_CLASSES = {
    "Invalid Address": Failure.RECIPIENT_GONE,
    "Content": Failure.CONTENT_REFUSED,
    "Reputation": Failure.SENDER_REFUSED,
    "Frequency/Volume": Failure.SENDER_REFUSED,
    "Technical": Failure.TRANSIENT,
}
_DROPPED = {"Bounced Address": Failure.RECIPIENT_GONE, "Invalid": Failure.RECIPIENT_GONE}
"""The classes of messages that SendGrid drops because of earlier events."""


def check_key(value: str) -> str:
    """Parse the verification key.

    :raises ValueError: describes the expected form.
    """
    key = "".join(value.split())
    if key:
        from masthead_email.webhooks.signatures import elliptic_key

        try:
            elliptic_key(key)
        except ValueError:
            raise ValueError("the verification key of the event webhook") from None
    return key


def is_authentic(headers: Mapping[str, str], body: bytes, key: str) -> bool:
    """Whether the signature in the header belongs to body and timestamp."""
    signed = headers.get(_TIMESTAMP, "").encode() + body
    from masthead_email.webhooks.signatures import is_signed_by_key

    return is_signed_by_key(signed, headers.get(_SIGNATURE, ""), key)


def read_events(body: bytes) -> Iterator[Event]:
    """Yield the failures and complaints of an authentic request."""
    for each in list_of(parse_json(body)):
        kind, reason = text_at(each, "event"), text_at(each, "reason")
        names = (text_at(each, "masthead"), text_at(each, "smtp-id"))
        if kind == "spamreport" or (kind == "dropped" and reason == "Spam Reporting Address"):
            yield complaint("Complaint", *names)
        elif kind == "bounce":
            yield Event(Kind.FAILURE, short(reason), _failure(each, reason), names)
        elif kind == "dropped":
            failure = _DROPPED.get(reason, Failure.POLICY)
            yield Event(Kind.FAILURE, short(reason), failure, names)


def _failure(event: Any, reason: str) -> Failure:
    otherwise = _CLASSES.get(text_at(event, "bounce_classification"), Failure.UNKNOWN)
    failure = failure_of(text_at(event, "status"), reason, otherwise)
    # By "blocked" SendGrid means that the address itself is valid.
    blocked = text_at(event, "type") == "blocked" and failure is Failure.RECIPIENT_GONE
    return Failure.UNKNOWN if blocked else failure
