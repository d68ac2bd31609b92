"""The dates of recurring events (RFC 5545, RRULE, RDATE and EXDATE)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import icalendar
from dateutil.rrule import rrulestr

AHEAD = timedelta(days=365)
"""The time ahead for which the dates of a series are imported."""
MOST_DATES = 60
"""The maximum number of dates of a series."""
_FREQUENT = frozenset({"SECONDLY", "MINUTELY", "HOURLY"})
"""Frequencies that no event of a website has, and that would take long to expand."""
_MOST_STEPS = 20_000


@dataclass(frozen=True)
class Dates:
    """The dates of a series in the coming year."""

    starts: list[date]
    continues: bool
    """Whether the series goes on after them."""


def occurrences(event: Any, start: date, changed: Sequence[date], now: datetime) -> Dates:
    """Return the dates of a series from today on, for a year.

    :param event: the component with the rules.
    :param start: the first date: a day, or an aware time.
    :param changed: dates that have events of their own.
    """
    first, last = _wall(now, start).replace(hour=0, minute=0), _wall(now + AHEAD, start)
    left_out = {_wall(each, start) for each in (*changed, *_listed(event, "EXDATE"))}
    starts: list[datetime] = []
    for moment in _steps(event, start, last):
        if moment < first or moment in left_out or moment in starts:
            continue
        if moment > last or len(starts) == MOST_DATES:
            return Dates([_like(each, start) for each in sorted(starts)], continues=True)
        starts.append(moment)
    return Dates([_like(each, start) for each in sorted(starts)], continues=False)


def _steps(event: Any, start: date, last: datetime) -> Iterator[datetime]:
    """Yield the dates of the list of further dates, then those of the rule."""
    begin = _wall(start, start)
    further = [_wall(each, start) for each in _listed(event, "RDATE")]
    yield from (each for each in (begin, *further) if each <= last)
    rule = event.get("RRULE")
    if not isinstance(rule, icalendar.vRecur):
        return
    if str(rule.get("FREQ", [""])[0]).upper() in _FREQUENT:
        return
    if int(rule.get("INTERVAL", [1])[0]) < 1:
        # The rule would be expanded without an end.
        return
    text = _rule_text(rule, start)
    try:
        for number, moment in enumerate(rrulestr(text, dtstart=begin)):
            yield moment
            if moment > last or number > _MOST_STEPS:
                return
    except (ValueError, TypeError, OverflowError):
        return


def _rule_text(rule: Any, start: date) -> str:
    """Return a rule whose end is a time of the same kind as the start that is counted from."""
    copied = type(rule)(rule)
    if until := rule.get("UNTIL"):
        copied["UNTIL"] = [_wall(until[0], start, end=True)]
    return str(copied.to_ical().decode())


def read_value(value: Any, name: str) -> Any:
    """Return an attribute of the value of a property; None if the value is damaged."""
    try:
        return getattr(value, name, None)
    except ValueError:
        return None


def _listed(event: Any, name: str) -> list[date]:
    """Return the dates of a property that may be repeated; of periods, their starts."""
    values = event.get(name)
    found = []
    for value in values if isinstance(values, list) else [values]:
        for each in read_value(value, "dts") or ():
            moment = each.dt[0] if isinstance(each.dt, tuple) else each.dt
            found.append(moment)
    return found


def _wall(moment: date, like: date, *, end: bool = False) -> datetime:
    """Return a moment as the clock shows it at the place of a series, for counting.

    :param end: whether a day means its end.
    """
    if not isinstance(moment, datetime):
        return datetime.combine(moment, time.max if end else time(0)).replace(microsecond=0)
    zone = like.tzinfo if isinstance(like, datetime) else UTC
    if moment.tzinfo is not None:
        moment = moment.astimezone(zone)
    return moment.replace(tzinfo=None, microsecond=0)


def _like(moment: datetime, start: date) -> date:
    """Return a counted moment in the form of the start: a day, or an aware time."""
    if isinstance(start, datetime):
        return moment.replace(tzinfo=start.tzinfo)
    return moment.date()
