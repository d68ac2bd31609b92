"""Events as an iCalendar (RFC 5545), which calendar programs subscribe to."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from sqlalchemy.orm import Session

from masthead import Instance, PublicReader, api_address, item_address, plain_text
from masthead_events.contenttype import EVENTS
from masthead_events.models import Withdrawal
from masthead_events.settings import CALENDAR_NAME, WHOLE_DAYS
from masthead_events.withdrawals import withdrawn

if TYPE_CHECKING:
    import icalendar

MOST = 1_000
"""How many events the calendar has: those with the latest starts."""
LONGEST = 1_000
"""How many characters of an event's text it has; its address leads to the rest."""

_FIELDS = (
    *("id", "slug", "title", "description", "content", "startDate", "endDate", "location", "tags"),
    *("changedAt", "scheduledPublishAt"),
)
_REFRESH = timedelta(hours=1)
_NOWHEN = date(1970, 1, 1)
"""The day of an event that is called off: a standard wants one, and the true one isn't public."""
_BREAKS = re.compile("\r\n?|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1b\x1f\x7f-\x9f]")


class CalendarWriter:
    """Writes the calendar of what the public sees of events."""

    def __init__(self, instance: Instance) -> None:
        self._settings = instance.settings
        self._outlet = PublicReader(EVENTS, instance.database, _FIELDS)
        self._host = urlsplit(api_address(instance.settings, "/")).hostname

    def write(self, session: Session) -> bytes:
        """The calendar: events in the order of their starts, then those that are called off."""
        # Large, and nothing else needs it.
        import icalendar

        connection = session.connection()
        calendar = icalendar.Calendar()
        calendar.add("prodid", "-//Masthead//Events//EN")
        calendar.add("version", "2.0")
        calendar.add("x-wr-calname", clean(self._settings[CALENDAR_NAME]))
        calendar.add("refresh-interval", _REFRESH, parameters={"VALUE": "DURATION"})
        calendar.add("x-published-ttl", icalendar.vDuration(_REFRESH))
        for event in self._outlet.newest(connection, MOST):
            calendar.add_component(self._event(event))
        for withdrawal in withdrawn(connection, self._outlet):
            calendar.add_component(self._cancelled(withdrawal))
        written: bytes = calendar.to_ical()
        return written

    def _event(self, event: Mapping[str, Any]) -> icalendar.Event:
        changed = event["changedAt"]
        whole_days = self._settings[WHOLE_DAYS]
        start, end = span(event["startDate"], event["endDate"], whole_days=whole_days)
        entry = self._entry(event["id"], max(changed, event["scheduledPublishAt"] or changed))
        entry.add("summary", clean(event["title"]))
        entry.add("dtstart", start)
        entry.add("url", item_address(self._settings, EVENTS.name, event["slug"]))
        for name, value in (
            ("dtend", end),
            ("description", _description(event)),
            ("location", clean(event["location"] or "")),
            ("categories", [clean(tag["name"]) for tag in event["tags"]]),
        ):
            if value:
                entry.add(name, value)
        return entry

    def _cancelled(self, withdrawal: Withdrawal) -> icalendar.Event:
        """An event that is called off, without a word of what it is or was."""
        entry = self._entry(withdrawal.event_id, withdrawal.at)
        entry.add("summary", "Cancelled")
        entry.add("dtstart", _NOWHEN)
        entry.add("status", "CANCELLED")
        return entry

    def _entry(self, event_id: int, changed: datetime) -> icalendar.Event:
        import icalendar

        entry = icalendar.Event()
        # Of what never changes, whatever becomes of title and address.
        entry.add("uid", f"event-{event_id}@{self._host}")
        entry.add("dtstamp", changed)
        entry.add("last-modified", changed)
        return entry


def span(start: datetime, end: datetime | None, *, whole_days: bool) -> tuple[date, date | None]:
    """When an event begins and ends, as a calendar has it: days, or times to the second.

    :param whole_days: whether an event lasts whole days that starts at midnight UTC, as a bare date
        does, and ends at midnight or not at all. Its last day is the one of its end: from
        ``2026-05-02`` to ``2026-05-04`` are three days.
    :returns: the first moment or day, and the first that doesn't belong to the event; None where
        it ends at once, or on the day on which it starts.
    """
    if whole_days and _is_midnight(start) and (end is None or _is_midnight(end)):
        first, last = start.date(), (end or start).date()
        return first, None if last in (first, date.max) else last + timedelta(days=1)
    first_second, last_second = _to_the_second(start), _to_the_second(end or start)
    return first_second, last_second if last_second > first_second else None


def clean(value: str) -> str:
    """A text without the characters that iCalendar forbids, its lines ended alike."""
    return _CONTROLS.sub("", _BREAKS.sub("\n", value))


def _description(event: Mapping[str, Any]) -> str:
    """The teaser, and as much of the text behind it as there is room for."""
    content = " ".join(plain_text(event["content"] or "").split())
    full = clean("\n\n".join(filter(None, (event["description"], content))))
    return full if len(full) <= LONGEST else full[: LONGEST - 1].rstrip() + "…"


def _is_midnight(moment: datetime) -> bool:
    return moment.astimezone(UTC).time() == time(0)


def _to_the_second(moment: datetime) -> datetime:
    return moment.astimezone(UTC).replace(microsecond=0)
