"""The events of Mailjet."""

from __future__ import annotations

from collections.abc import Iterator

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
    value_at,
)

_ERRORS = {
    "user unknown": Failure.RECIPIENT_GONE,
    "mailbox inactive": Failure.RECIPIENT_GONE,
    "invalid domain": Failure.RECIPIENT_GONE,
    "no mail host": Failure.RECIPIENT_GONE,
    "quota exceeded": Failure.MAILBOX_FULL,
    "relay/access denied": Failure.SENDER_REFUSED,
    "sender blocked": Failure.SENDER_REFUSED,
    "content blocked": Failure.CONTENT_REFUSED,
    "policy issue": Failure.POLICY,
    "system issue": Failure.TRANSIENT,
    "protocol issue": Failure.TRANSIENT,
    "connection issue": Failure.TRANSIENT,
    "greylisted": Failure.TRANSIENT,
    "preblocked": Failure.POLICY,
    "duplicate in campaign": Failure.POLICY,
}
"""The class of each error, as Mailjet names them."""


def read_events(body: bytes) -> Iterator[Event]:
    """Yield the failures and complaints of an authentic request: one event, or a group."""
    for each in list_of(parse_json(body)):
        kind, name = text_at(each, "event"), text_at(each, "CustomID")
        if kind == "spam":
            yield complaint("Complaint", name)
        elif kind in ("bounce", "blocked"):
            error, comment = text_at(each, "error"), text_at(each, "comment")
            hard = value_at(each, "hard_bounce") is True
            known = _ERRORS.get(error.lower())
            words = " ".join(filter(None, (error, comment))) or kind
            failure = failure_of("", comment, known or Failure.UNKNOWN)
            # The text may only soften the error that Mailjet names.
            if failure is Failure.RECIPIENT_GONE and (known is not failure or not hard):
                failure = known if known and known is not failure else Failure.UNKNOWN
            yield Event(Kind.FAILURE, short(words), failure, (name,))
