"""Spans of time as people write them, such as "2 – 4 May 2027"."""

from __future__ import annotations

from datetime import UTC, datetime, time, tzinfo
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from babel import Locale

_NARROW_SPACES = dict.fromkeys(map(ord, "\u2009\u202f"), " ")
"""Some readers of feeds lack these characters."""


def written_span(
    start: datetime,
    end: datetime | None,
    *,
    zone: tzinfo,
    language: str,
    whole_days: bool = False,
) -> str:
    """Return a span in a language, such as "3 May 2027, 18:30 – 20:00 CEST".

    :param zone: the time zone of the times; whole days have none.
    :param language: the tag of the language; English is used for unknown ones.
    :param whole_days: whether a span between midnights in UTC lasts whole days.
    """
    locale, last = find_locale(language), end or start
    whole = whole_days and lasts_whole_days(start, end)
    span = _dates(start, last, locale) if whole else _times(start, last, zone, locale)
    return span.translate(_NARROW_SPACES)


def lasts_whole_days(start: datetime, end: datetime | None) -> bool:
    """Whether a span begins and ends at midnight UTC, as dates without a time do."""
    return all(each.astimezone(UTC).time() == time(0) for each in (start, end or start))


def find_locale(language: str) -> Locale:
    """Return the conventions of a language; those of English if they aren't known."""
    from babel import Locale, UnknownLocaleError

    tag = language
    while tag:
        try:
            return Locale.parse(tag, sep="-")
        except (UnknownLocaleError, ValueError):
            tag = tag.rpartition("-")[0]
    return Locale("en")


def _dates(start: datetime, end: datetime, locale: Locale) -> str:
    from babel.dates import format_date, format_interval

    first, last = (each.astimezone(UTC).date() for each in (start, end))
    if first == last:
        return format_date(first, "long", locale)
    return format_interval(first, last, "yMMMMd", locale=locale)


def _times(start: datetime, end: datetime, zone: tzinfo, locale: Locale) -> str:
    # Babel is large.
    from babel.dates import format_date, format_time

    first, last = _local(start, zone), _local(end, zone)
    joined = str(locale.datetime_formats["medium"])
    days = [format_date(each, "long", locale) for each in (first, last)]
    times = [format_time(each, "short", None, locale) for each in (first, last)]
    if first == last:
        span = joined.format(times[0], days[0])
    elif days[0] == days[1]:
        span = joined.format(f"{times[0]} – {times[1]}", days[0])
    else:
        both = zip(times, days, strict=True)
        span = " – ".join(joined.format(at, day) for at, day in both)
    return f"{span} {_zone_name(last, locale)}"


def _local(moment: datetime, zone: tzinfo) -> datetime:
    try:
        return moment.astimezone(zone)
    except OverflowError:
        # The first and the last hours of all years that a datetime knows.
        return moment


def _zone_name(moment: datetime, locale: Locale) -> str:
    """Return the usual abbreviation of the zone in a language, else the offset, as in GMT+02:00."""
    from babel.dates import get_timezone_gmt, get_timezone_name

    name = get_timezone_name(moment, "short", locale=locale)
    return get_timezone_gmt(moment, "long", locale) if name[:1] in "+-" else name
