"""Amazon SES by SNS: signatures, confirmation of the subscription, events."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from http.client import HTTPException, HTTPSConnection
from typing import Any

import orjson

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

_ADDRESS = re.compile(r"https://(sns\.[a-z0-9-]{4,30}\.amazonaws\.com(?:\.cn)?)(/[!-~]*)")
_SIGNED = {
    "Notification": ("Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"),
    "SubscriptionConfirmation": (
        *("Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"),
    ),
}
_VERSIONS = ("1", "2")
"""The versions of signatures."""
_TIMEOUT = 5.0
_MAX_ANSWER = 64 * 1024
_SUBTYPES = {
    "NoEmail": Failure.RECIPIENT_GONE,
    "Suppressed": Failure.RECIPIENT_GONE,
    "OnAccountSuppressionList": Failure.RECIPIENT_GONE,
    "MailboxFull": Failure.MAILBOX_FULL,
    "MessageTooLarge": Failure.CONTENT_REFUSED,
    "ContentRejected": Failure.CONTENT_REFUSED,
    "AttachmentRejected": Failure.CONTENT_REFUSED,
}
_NO_COMPLAINTS = ("not-spam", "auth-failure", "virus")


# All providers are asked by the same arguments.
def is_authentic(headers: Mapping[str, str], body: bytes, topic: str) -> bool:  # noqa: ARG001
    """Whether SNS has signed a message of our topic: anybody can have another topic."""
    message = parse_json(body)
    names = _SIGNED.get(text_at(message, "Type"))
    version = text_at(message, "SignatureVersion")
    if names is None or version not in _VERSIONS or text_at(message, "TopicArn") != topic:
        return False
    lines = [f"{name}\n{text_at(message, name)}\n" for name in names if name in message]
    certificate = _fetch_certificate(text_at(message, "SigningCertURL"))
    from masthead_email.webhooks.signatures import is_signed_by_certificate

    signed, signature = "".join(lines).encode(), text_at(message, "Signature")
    return is_signed_by_certificate(signed, signature, certificate, version)


def read_events(body: bytes) -> Iterator[Event]:
    """Yield the events of an authentic message; confirm the subscription if it asks for that."""
    message = parse_json(body)
    if text_at(message, "Type") == "SubscriptionConfirmation":
        _fetch(text_at(message, "SubscribeURL"))
        return
    try:
        payload = orjson.loads(text_at(message, "Message"))
    except ValueError:
        return
    kind = text_at(payload, "notificationType") or text_at(payload, "eventType")
    if kind == "Bounce":
        yield from _bounce(payload)
    elif kind == "Complaint":
        feedback = text_at(payload, "complaint", "complaintFeedbackType")
        if feedback not in _NO_COMPLAINTS:
            yield complaint(f"Complaint: {feedback or 'abuse'}", *_names(payload))


def _bounce(payload: Any) -> Iterator[Event]:
    kind = text_at(payload, "bounce", "bounceType")
    subtype = text_at(payload, "bounce", "bounceSubType")
    otherwise = Failure.TRANSIENT if kind == "Transient" else Failure.UNKNOWN
    for each in list_of(value_at(payload, "bounce", "bouncedRecipients")):
        diagnostic = text_at(each, "diagnosticCode")
        if kind == "Transient" and not diagnostic:
            # SES reports automatic replies like that.
            continue
        failure = failure_of(text_at(each, "status"), diagnostic, _SUBTYPES.get(subtype, otherwise))
        words = diagnostic or f"{kind} {subtype}"
        yield Event(Kind.FAILURE, short(words), failure, _names(payload))


def _names(payload: Any) -> tuple[str, ...]:
    headers = list_of(value_at(payload, "mail", "headers"))
    ids = [text_at(each, "value") for each in headers if text_at(each, "name") == "Message-ID"]
    return (
        text_at(payload, "mail", "source"),
        text_at(payload, "mail", "commonHeaders", "messageId"),
        *ids,
    )


@lru_cache(maxsize=8)
def _certificate(address: str) -> bytes:
    answer = _fetch(address)
    if not answer:
        raise OSError("no answer")
    return answer


def _fetch_certificate(address: str) -> bytes:
    """Return a signing certificate; it is kept in memory, unless the request fails."""
    if not address.endswith(".pem"):
        return b""
    try:
        return _certificate(address)
    except OSError:
        return b""


def _fetch(address: str) -> bytes:
    """Return what SNS answers; blank for another server, an error or a redirect.

    The address comes from the request, so no other server may be asked.
    """
    match = _ADDRESS.fullmatch(address)
    if match is None:
        return b""
    connection = HTTPSConnection(match[1], timeout=_TIMEOUT)
    try:
        connection.request("GET", match[2])
        answer = connection.getresponse()
        return answer.read(_MAX_ANSWER) if answer.status == 200 else b""
    except (OSError, HTTPException, ValueError):
        return b""
    finally:
        connection.close()
