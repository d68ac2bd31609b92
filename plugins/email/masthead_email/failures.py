"""Classes of failed deliveries, and the one rule that assigns them to SMTP replies and reports.

Enhanced status codes are those of RFC 3463 and of IANA's registry of them; some large systems give
them a meaning of their own.
"""

from __future__ import annotations

import re
from enum import StrEnum

from masthead_email.failure_texts import (
    CONTENT,
    FULL,
    GONE,
    LIMITS,
    POLICY,
    RECEIVING,
    RESTRICTED,
    SENDER,
    SENDER_NAMES,
    TRANSIENT,
)


class Failure(StrEnum):
    """The class of a failed delivery; only ``RECIPIENT_GONE`` condemns an address by itself."""

    RECIPIENT_GONE = "recipient-gone"
    """The address doesn't exist, or its mailbox is disabled."""
    MAILBOX_FULL = "mailbox-full"
    CONTENT_REFUSED = "content-refused"
    """The message is too large, or its content is taken for spam or malformed."""
    SENDER_REFUSED = "sender-refused"
    """The server refuses our address, domain, server or quota: it concerns all recipients."""
    POLICY = "policy"
    """The server refuses the message by a policy that it doesn't explain further."""
    TRANSIENT = "transient"
    """A later attempt may succeed."""
    UNKNOWN = "unknown"
    """A permanent failure whose cause isn't stated."""


_CLASSES = {
    "5.1": Failure.RECIPIENT_GONE,
    "5.1.7": Failure.SENDER_REFUSED,
    "5.1.8": Failure.SENDER_REFUSED,
    "5.1.9": Failure.UNKNOWN,
    "5.1.20": Failure.CONTENT_REFUSED,
    "5.1.90": Failure.SENDER_REFUSED,
    "5.2.2": Failure.MAILBOX_FULL,
    "5.2.3": Failure.CONTENT_REFUSED,
    "5.2.121": Failure.TRANSIENT,
    "5.2.122": Failure.TRANSIENT,
    "5.3.1": Failure.TRANSIENT,
    "5.3.2": Failure.TRANSIENT,
    "5.3.4": Failure.CONTENT_REFUSED,
    "5.4.2": Failure.TRANSIENT,
    "5.4.3": Failure.TRANSIENT,
    "5.4.5": Failure.SENDER_REFUSED,
    "5.4.7": Failure.TRANSIENT,
    "5.4.300": Failure.TRANSIENT,
    "5.4.310": Failure.RECIPIENT_GONE,
    "5.4.316": Failure.TRANSIENT,
    "5.6": Failure.CONTENT_REFUSED,
    "5.7": Failure.POLICY,
    "5.7.8": Failure.SENDER_REFUSED,
    "5.7.9": Failure.SENDER_REFUSED,
    "5.7.14": Failure.SENDER_REFUSED,
    "5.7.17": Failure.RECIPIENT_GONE,
    "5.7.18": Failure.RECIPIENT_GONE,
    **{f"5.7.{detail}": Failure.SENDER_REFUSED for detail in range(20, 31)},
    "4.2.2": Failure.MAILBOX_FULL,
    "4": Failure.TRANSIENT,
}
"""The class of each precise status code, or of all that begin with a key; the longest key wins."""
_DEFAULTS = {
    "5.2.1": Failure.RECIPIENT_GONE,
    "5.4.1": Failure.RECIPIENT_GONE,
    "5.7": Failure.POLICY,
}
"""The class of a vague status code if neither a precise code nor the text says more."""
_VAGUE = re.compile(r"[45]\.(?:\d\.0|5\.\d+|2\.1|3\.5|4\.[0146]|4\.312|7\.1)")
"""Status codes that systems also use for other causes than their name says."""
_BANNED = re.compile(r"5\.7\.[567]\d\d")
"""Codes by which Microsoft refuses an address, a domain or a server of the sender."""
_STATUS = re.compile(r"(?<![\w.-])([245]\.[0-7]\.\d{1,3})(?![\w-]|\.\d)")
_CODE = re.compile(r"(?<![\w.:-])([45]\d\d)[ -]")
_ADDRESS = re.compile(r"<[^<>\s]{0,320}>|[^\s<>()\[\]:;,\"]{1,64}@[^\s<>()\[\]:;,\"]{1,255}")
_LINK = re.compile(r"(?:https?://|www\.)\S+")
_MAX_TEXT = 4000
_TEXTS = (
    (Failure.TRANSIENT, RECEIVING),
    (Failure.POLICY, RESTRICTED),
    (Failure.SENDER_REFUSED, SENDER),
    (Failure.MAILBOX_FULL, FULL),
    (Failure.SENDER_REFUSED, LIMITS),
    (Failure.RECIPIENT_GONE, GONE),
    (Failure.CONTENT_REFUSED, CONTENT),
    (Failure.TRANSIENT, TRANSIENT),
    (Failure.POLICY, POLICY),
)
"""The texts of each class; the first that matches wins."""


def classify(code: int | None, status: str | None, text: str) -> Failure:
    """Return the class of a failure: by a precise status code, else by the text.

    A text that blames the sender or a full mailbox wins over any code, because a wrong code must
    not silence a recipient.

    :param code: the SMTP reply code, such as 550; None if there is none.
    :param status: the enhanced status code, such as ``5.1.1``; None to look for one in the text.
    :param text: the text of the reply or report.
    """
    text = text[:_MAX_TEXT]
    statuses = [each for each in (status, *_STATUS.findall(text)) if each]
    by_text = _class_of_text(text)
    if _is_transient(code, statuses, text):
        kept = (Failure.SENDER_REFUSED, Failure.MAILBOX_FULL)
        by_code = _lookup(_CLASSES, statuses[0]) if statuses else None
        return by_text if by_text in kept else by_code or Failure.TRANSIENT
    if by_text in (Failure.SENDER_REFUSED, Failure.MAILBOX_FULL):
        return by_text
    precise = next((each for each in statuses if not _VAGUE.fullmatch(each)), None)
    if precise is not None and not _is_contradicted(precise, statuses[1:]):
        return _class_of_status(precise)
    return by_text or _class_by_default(statuses)


def without_addresses(text: str) -> str:
    """Return the words of a server without addresses, for users who may not read them."""
    return _ADDRESS.sub("…", text)


def _is_transient(code: int | None, statuses: list[str], text: str) -> bool:
    """Whether the failure is transient: by its first precise code, else by its reply code."""
    for each in statuses:
        if not _VAGUE.fullmatch(each):
            return each.startswith("4")
    if code is None:
        found = _CODE.search(text)
        code = int(found[1]) if found else None
    if code is not None:
        return 400 <= code < 500
    return bool(statuses) and all(each.startswith("4") for each in statuses)


def _is_contradicted(status: str, others: list[str]) -> bool:
    """Whether a report says that the address doesn't exist, but quotes a refusal by policy."""
    return _class_of_status(status) is Failure.RECIPIENT_GONE and any(
        each.startswith("5.7.") for each in others
    )


def _class_of_status(status: str) -> Failure:
    if _BANNED.fullmatch(status):
        return Failure.SENDER_REFUSED
    return _lookup(_CLASSES, status) or Failure.UNKNOWN


def _class_by_default(statuses: list[str]) -> Failure:
    found = [_lookup(_DEFAULTS, each) for each in statuses]
    return next((each for each in reversed(found) if each is not None), Failure.UNKNOWN)


def _lookup(table: dict[str, Failure], status: str) -> Failure | None:
    keys = (status, status.rpartition(".")[0], status.partition(".")[0])
    return next((table[key] for key in keys if key in table), None)


def _class_of_text(text: str) -> Failure | None:
    if SENDER_NAMES.search(text):
        return Failure.SENDER_REFUSED
    # Names in addresses and links say nothing about the cause.
    words = " ".join(_LINK.sub(" ", _ADDRESS.sub(" ", text)).casefold().split())
    words = words.replace("’", "'")
    return next((failure for failure, pattern in _TEXTS if pattern.search(words)), None)
