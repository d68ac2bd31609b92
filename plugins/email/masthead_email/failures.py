"""Classes of failed deliveries, and the one rule that assigns them to SMTP replies and reports.

Enhanced status codes are those of RFC 3463 and of IANA's registry of them.
"""

from __future__ import annotations

import re
from enum import StrEnum


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
    "5.1.0": Failure.UNKNOWN,
    "5.1.7": Failure.SENDER_REFUSED,
    "5.1.8": Failure.SENDER_REFUSED,
    "5.1": Failure.RECIPIENT_GONE,
    "5.2.1": Failure.RECIPIENT_GONE,
    "5.2.2": Failure.MAILBOX_FULL,
    "5.2.3": Failure.CONTENT_REFUSED,
    "5.3.4": Failure.CONTENT_REFUSED,
    "5.4.1": Failure.RECIPIENT_GONE,
    "5.4.5": Failure.SENDER_REFUSED,
    "5.6": Failure.CONTENT_REFUSED,
    "5.7": Failure.POLICY,
    "4": Failure.TRANSIENT,
}
"""The class of each enhanced status code, or of all that begin with a key; the longest key wins."""
_STATUS = re.compile(r"(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.])")


def classify(code: int | None, status: str | None, text: str) -> Failure:
    """Return the class of a failure.

    :param code: the SMTP reply code, such as 550; None if there is none.
    :param status: the enhanced status code, such as ``5.1.1``; None to look for one in the text.
    :param text: the text of the reply or report.
    """
    found = _STATUS.search(text)
    status = status or (found[1] if found else None)
    if status is None:
        return Failure.TRANSIENT if code is not None and 400 <= code < 500 else Failure.UNKNOWN
    for key in (status, status.rpartition(".")[0], status.partition(".")[0]):
        if key in _CLASSES:
            return _CLASSES[key]
    return Failure.UNKNOWN
