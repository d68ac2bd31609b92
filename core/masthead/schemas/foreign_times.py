"""Times as other systems write them: ISO 8601, SQL, RFC 2822 and Unix time."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta, tzinfo
from email.utils import parsedate_to_datetime
from typing import Any, Literal

from masthead.schemas.date_times import LONGEST
from masthead.schemas.field_types import Timestamp

DateOrder = Literal["day", "month"]
"""The part of a date that comes first, before the other one and the year."""

_FIRST_SECONDS, _FIRST_MILLISECONDS, _END = 10**8, 10**11, 10**14
"""The bounds of Unix time: seconds from 1973 on, and milliseconds of the same years."""
_TWELVE = 12
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NUMBER = re.compile(r"\d{9,14}", re.ASCII)
_RFC_2822 = re.compile(
    r"(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? +)?\d{1,2} +(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct"
    r"|Nov|Dec) +[1-9]\d{3} +\d{2}:\d{2}(?::\d{2})?(?: +(?P<zone>[+-]\d{4}|[A-Z]{1,4}))?",
    re.ASCII | re.IGNORECASE,
)
_RFC_2822_ZONES = re.compile("UTC?|GMT|Z|[ECMP][SD]T", re.IGNORECASE)
_AMBIGUOUS = re.compile(r"\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d{2})\b.*", re.ASCII)
_YEAR_LAST = re.compile(
    r"(?P<first>\d{1,2})[./-](?P<second>\d{1,2})[./-](?P<year>\d{4})"
    r"(?:,?[ T]+(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<seconds>\d{2}))?"
    r"(?: ?(?P<half>[AP])M)?)?",
    re.ASCII | re.IGNORECASE,
)
_YEAR_FIRST = re.compile(r"(\d{4})/(\d{2})/(\d{2})\b", re.ASCII)
_ISO_OFFSET = re.compile(r" +(?:(?P<utc>UTC|GMT|Z)|(?P<offset>[+-]\d{2}:?\d{2}))\Z", re.ASCII)
_HAS_OFFSET = re.compile(r"\d[Tt ].*(?:[Zz]|[+-]\d{2}(?::?\d{2})?)\Z", re.ASCII)


def read_foreign_time(value: Any, zone: tzinfo = UTC, order: DateOrder | None = None) -> datetime:
    """Return the time that a JSON value stands for, in UTC and truncated to milliseconds.

    :param zone: the time zone of values without one.
    :param order: the order of dates that end with the year; None refuses them.
    :raises ValueError: for a value that is no time, or an ambiguous one.
    """
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _from_number(value)
    if not isinstance(value, str):
        raise ValueError("Must be a time")
    text = value.strip()
    if len(text) > LONGEST:
        # Some of the patterns would take quadratic time.
        raise ValueError("Must be a time")
    if _NUMBER.fullmatch(text):
        return _from_number(int(text))
    if order is not None and (written := _YEAR_LAST.fullmatch(text)):
        return _in_utc(_from_parts(written, order), zone)
    if _AMBIGUOUS.fullmatch(text):
        raise ValueError(f"{text[:30]!r} is ambiguous; write the year first: 2024-02-01")
    if found := _RFC_2822.fullmatch(text):
        return _from_rfc_2822(text, found["zone"] or "", zone)
    return _from_iso(text, zone)


def find_date_order(texts: Iterable[str]) -> DateOrder | None:
    """Return the order of the dates that end with the year; None if it isn't clear.

    A number above 12 is a day, so ``31/01/2024`` shows the order of a whole column.
    """
    dates = [found for text in texts if (found := _YEAR_LAST.fullmatch(text.strip()))]
    day_first = any(int(date["first"]) > _TWELVE for date in dates)
    month_first = any(int(date["second"]) > _TWELVE for date in dates)
    if day_first == month_first:
        return None
    return "day" if day_first else "month"


def _from_parts(date: re.Match[str], order: DateOrder) -> datetime:
    names = ("first", "second") if order == "day" else ("second", "first")
    day, month = (int(date[name]) for name in names)
    hour, minute, second = (int(date[name] or 0) for name in ("hour", "minute", "seconds"))
    if date["half"]:
        if not 1 <= hour <= _TWELVE:
            raise ValueError("Must be a time that exists")
        hour = hour % _TWELVE + (_TWELVE if date["half"] in "pP" else 0)
    try:
        return datetime(int(date["year"]), month, day, hour, minute, second)  # noqa: DTZ001 - the caller knows the zone
    except ValueError:
        raise ValueError("Must be a time that exists") from None


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
