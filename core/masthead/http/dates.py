"""The dates of HTTP headers (RFC 9110 section 5.6.7)."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime

_LONGEST = 64


def http_date(moment: datetime) -> str:
    """Return a time in the format of HTTP headers, to the second."""
    return format_datetime(moment.astimezone(UTC), usegmt=True)


def read_date(text: str) -> datetime | None:
    """Return the time of a header in one of the three formats of HTTP; None if it has none."""
    if len(text) > _LONGEST:
        return None
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment
