"""Mailgun: signatures by HMAC, and events."""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Mapping

from masthead_email.bounces.reading import Kind
from masthead_email.bounces.reports import short
from masthead_email.failures import Failure
from masthead_email.webhooks.events import (
    Event,
    complaint,
    failure_of,
    parse_json,
    text_at,
    value_at,
)

_REASONS = {
    "suppress-bounce": Failure.RECIPIENT_GONE,
    "suppress-unsubscribe": Failure.POLICY,
    "old": Failure.TRANSIENT,
}


# All providers are asked by the same arguments.
def is_authentic(headers: Mapping[str, str], body: bytes, key: str) -> bool:  # noqa: ARG001
    """Whether the signature in the body is made with our key."""
    signature = value_at(parse_json(body), "signature")
    signed = text_at(signature, "timestamp") + text_at(signature, "token")
    expected = hmac.new(key.encode(), signed.encode(), "sha256").hexdigest()
    given = text_at(signature, "signature")
    return bool(signed) and hmac.compare_digest(expected.encode(), given.encode())


def read_events(body: bytes) -> Iterator[Event]:
    """Yield the failure or complaint of an authentic request."""
    event = value_at(parse_json(body), "event-data")
    kind, reason = text_at(event, "event"), text_at(event, "reason")
    names = (
        text_at(event, "user-variables", "masthead"),
        text_at(event, "message", "headers", "message-id"),
        text_at(event, "envelope", "sender"),
    )
    if kind == "complained" or (kind == "failed" and reason == "suppress-complaint"):
        yield complaint("Complaint", *names)
    elif kind == "failed" and text_at(event, "severity") == "permanent":
        status = value_at(event, "delivery-status")
        words = text_at(status, "message") or text_at(status, "description") or reason
        failure = failure_of(
            text_at(status, "enhanced-code"),
            words,
            _REASONS.get(reason, Failure.UNKNOWN),
            text_at(status, "code"),
        )
        yield Event(Kind.FAILURE, short(words), _REASONS.get(reason, failure), names)
