"""SendGrid: signatures by ECDSA, and events."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_der_public_key

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
        try:
            _public_key(key)
        except (ValueError, TypeError):
            raise ValueError("the verification key of the event webhook") from None
    return key


def is_authentic(headers: Mapping[str, str], body: bytes, key: str) -> bool:
    """Whether the signature in the header belongs to body and timestamp."""
    signed = headers.get(_TIMESTAMP, "").encode() + body
    try:
        signature = base64.b64decode(headers.get(_SIGNATURE, ""), validate=True)
        _public_key(key).verify(signature, signed, ec.ECDSA(SHA256()))
    except (ValueError, InvalidSignature):
        return False
    return True


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


def _public_key(key: str) -> ec.EllipticCurvePublicKey:
    public = load_der_public_key(base64.b64decode(key, validate=True))
    if not isinstance(public, ec.EllipticCurvePublicKey):
        raise TypeError("no key of an elliptic curve")
    return public
