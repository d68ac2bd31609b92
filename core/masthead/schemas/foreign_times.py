"""Times as other systems write them: ISO 8601, SQL, RFC 2822 and Unix time."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, tzinfo
from email.utils import parsedate_to_datetime
from typing import Any

from masthead.schemas.field_types import LONGEST_TIMESTAMP, Timestamp

_FIRST_SECONDS, _FIRST_MILLISECONDS, _END = 10**8, 10**11, 10**14
"""The bounds of Unix time: seconds from 1973 on, and milliseconds of the same years."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NUMBER = re.compile(r"\d{9,14}", re.ASCII)
_RFC_2822 = re.compile(
    r"(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? +)?\d{1,2} +(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct"
    r"|Nov|Dec) +[1-9]\d{3} +\d{2}:\d{2}(?::\d{2})?(?: +(?P<zone>[+-]\d{4}|[A-Z]{1,4}))?",
    re.ASCII | re.IGNORECASE,
)
_RFC_2822_ZONES = re.compile("UTC?|GMT|Z|[ECMP][SD]T", re.IGNORECASE)
_AMBIGUOUS = re.compile(r"\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d{2})\b.*", re.ASCII)
_YEAR_FIRST = re.compile(r"(\d{4})/(\d{2})/(\d{2})\b", re.ASCII)
_ISO_OFFSET = re.compile(r" +(?:(?P<utc>UTC|GMT|Z)|(?P<offset>[+-]\d{2}:?\d{2}))\Z", re.ASCII)
_HAS_OFFSET = re.compile(r"\d[Tt ].*(?:[Zz]|[+-]\d{2}(?::?\d{2})?)\Z", re.ASCII)


def read_foreign_time(value: Any, zone: tzinfo = UTC) -> datetime:
    """Return the time that a JSON value stands for, in UTC and truncated to milliseconds.

    :param zone: the time zone of values without one.
    :raises ValueError: for a value that is no time, or an ambiguous one.
    """
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _from_number(value)
    if not isinstance(value, str):
        raise ValueError("Must be a time")
    text = value.strip()
    if len(text) > LONGEST_TIMESTAMP:
        # Some of the patterns would take quadratic time.
        raise ValueError("Must be a time")
    if _NUMBER.fullmatch(text):
        return _from_number(int(text))
    if _AMBIGUOUS.fullmatch(text):
        raise ValueError(f"{text[:30]!r} is ambiguous; write the year first: 2024-02-01")
    if found := _RFC_2822.fullmatch(text):
        return _from_rfc_2822(text, found["zone"] or "", zone)
    return _from_iso(text, zone)


def _from_number(number: float) -> datetime:
    """Return the time of a number of seconds or milliseconds."""
    if _FIRST_SECONDS <= number < _FIRST_MILLISECONDS:
        moment = _EPOCH + timedelta(seconds=number)
    elif _FIRST_MILLISECONDS <= number < _END:
        moment = _EPOCH + timedelta(milliseconds=number)
    else:
        raise ValueError(f"{number} is no Unix time in seconds or milliseconds from 1973 on")
    return Timestamp().parse(moment.isoformat())


def _from_rfc_2822(text: str, name: str, zone: tzinfo) -> datetime:
    # Python reads unknown names of zones as UTC.
    if name and name[0] not in "+-" and not _RFC_2822_ZONES.fullmatch(name):
        raise ValueError(f"The time zone {name} isn't known")
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        raise ValueError("Must be a time that exists") from None
    return _in_utc(moment if name else moment.replace(tzinfo=None), zone)


def _from_iso(text: str, zone: tzinfo) -> datetime:
    text = _YEAR_FIRST.sub(r"\1-\2-\3", text, count=1)
    text = _ISO_OFFSET.sub(lambda found: "Z" if found["utc"] else found["offset"], text)
    try:
        moment = Timestamp().parse(text)
    except ValueError as error:
        raise ValueError(f"{error}, an RFC 2822 date or a Unix time") from None
    return moment if _HAS_OFFSET.search(text) else _in_utc(moment.replace(tzinfo=None), zone)


def _in_utc(moment: datetime, zone: tzinfo) -> datetime:
    """Return a time in UTC; a time without a zone is in ``zone``."""
    try:
        return (moment if moment.tzinfo else moment.replace(tzinfo=zone)).astimezone(UTC)
    except OverflowError:
        raise ValueError("Must be a time that exists") from None
