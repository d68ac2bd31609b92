"""Reads ISO 8601 date-times in all their forms."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

LONGEST = 100
_DATE = r"(?:\d{4}-\d{2}-\d{2}|\d{8}|\d{4}-?W\d{2}-?\d|(?P<year>\d{4})-?(?P<day>\d{3}))"
_TIME = (
    r"(?:(?:[01]\d|2[0-3])(?::?[0-5]\d(?::?[0-5]\d(?:[.,]\d+)?)?)?"
    r"|(?P<end>24)(?::?00(?::?00(?:[.,]0+)?)?)?)"
)
_DATE_TIME = re.compile(rf"{_DATE}(?:[Tt ]{_TIME}(?:[Zz]|[+-]\d{{2}}(?::?\d{{2}})?)?)?\Z", re.ASCII)


def read_date_time(text: str) -> datetime:
    """Return the time in UTC to the millisecond; without an offset, the text is in UTC.

    :raises ValueError: if it is no ISO 8601 date-time; the message is for the client.
    """
    found = _DATE_TIME.match(text) if len(text) <= LONGEST else None
    if found is None:
        raise ValueError("Must be an ISO 8601 date-time")
    try:
        moment = _moment(found)
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        raise ValueError("Must be an ISO 8601 date-time that exists") from None
    return moment - timedelta(microseconds=moment.microsecond % 1000)


def _moment(found: re.Match[str]) -> datetime:
    """Return the time of a match of ``_DATE_TIME``, with ordinal dates and 24:00 resolved.

    :raises ValueError: if there is no such time; OverflowError if it is out of range.
    """
    text, shift = found[0].upper(), timedelta()
    if found["end"]:
        text, shift = (
            text[: found.start("end")] + "00" + text[found.end("end") :],
            timedelta(days=1),
        )
    if found["day"]:
        first = f"{found['year']}-01-01"
        text, days = first + text[found.end("day") :], timedelta(days=int(found["day"]) - 1)
        if (datetime.fromisoformat(first) + days).year != int(found["year"]):
            raise ValueError("The year has no such day")
        shift += days
    return datetime.fromisoformat(text) + shift
