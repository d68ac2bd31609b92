"""Write the events as an iCalendar (RFC 5545) that calendar programs subscribe to."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from sqlalchemy.orm import Session

from masthead import (
    Instance,
    PublicReader,
    api_address,
    is_whole_days,
    item_address,
    plain_text,
)
from masthead_events.cancellations import latest_cancellations
from masthead_events.contenttype import EVENTS
from masthead_events.models import Cancellation
from masthead_events.settings import CALENDAR_NAME, WHOLE_DAYS

if TYPE_CHECKING:
    import icalendar

MAX_EVENTS = 1_000
"""The maximum number of events in the calendar: those with the latest starts."""
MAX_DESCRIPTION = 1_000
"""The maximum number of characters of an event's description."""

_FIELDS = (
    *("id", "slug", "title", "description", "content", "startDate", "endDate", "location", "tags"),
    *("changedAt", "scheduledPublishAt"),
)
_REFRESH = timedelta(hours=1)
_PLACEHOLDER_DATE = date(1970, 1, 1)
"""The day of a cancelled event: RFC 5545 requires one, and the real one is no longer public."""
_LINE_BREAKS = re.compile("\r\n?|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1b\x1f\x7f-\x9f]")


class CalendarWriter:
    """The writer of the calendar of published events."""

    def __init__(self, instance: Instance) -> None:
        self._settings = instance.settings
        self._reader = PublicReader(EVENTS, instance.database, _FIELDS)
        self._host = urlsplit(api_address(instance.settings, "/")).hostname

    def write(self, session: Session) -> bytes:
        """Return the calendar: events in the order of their starts, then cancelled events."""
        # icalendar is large, and nothing else needs it.
        import icalendar

        connection = session.connection()
        calendar = icalendar.Calendar()
        calendar.add("prodid", "-//Masthead//Events//EN")
        calendar.add("version", "2.0")
        calendar.add("x-wr-calname", clean_text(self._settings[CALENDAR_NAME]))
        calendar.add("refresh-interval", _REFRESH, parameters={"VALUE": "DURATION"})
        calendar.add("x-published-ttl", icalendar.vDuration(_REFRESH))
        for event in self._reader.read_newest(connection, MAX_EVENTS):
            calendar.add_component(self._event(event))
        for cancellation in latest_cancellations(connection, self._reader):
            calendar.add_component(self._cancelled(cancellation))
        written: bytes = calendar.to_ical()
        return written

    def _event(self, event: Mapping[str, Any]) -> icalendar.Event:
        changed = event["changedAt"]
        whole_days = self._settings[WHOLE_DAYS]
        start, end = span(event["startDate"], event["endDate"], whole_days=whole_days)
        entry = self._entry(event["id"], max(changed, event["scheduledPublishAt"] or changed))
        entry.add("summary", clean_text(event["title"]))
        entry.add("dtstart", start)
        entry.add("url", item_address(self._settings, EVENTS.name, event["slug"]))
        for name, value in (
            ("dtend", end),
            ("description", _description(event)),
            ("location", clean_text(event["location"] or "")),
            ("categories", [clean_text(tag["name"]) for tag in event["tags"]]),
        ):
            if value:
                entry.add(name, value)
        return entry

    def _cancelled(self, cancellation: Cancellation) -> icalendar.Event:
        """Return the entry of a cancelled event, which reveals nothing about the event."""
        entry = self._entry(cancellation.event_id, cancellation.at)
        entry.add("summary", "Cancelled")
        entry.add("dtstart", _PLACEHOLDER_DATE)
        entry.add("status", "CANCELLED")
        return entry

    def _entry(self, event_id: int, changed: datetime) -> icalendar.Event:
        import icalendar

        entry = icalendar.Event()
        # The id never changes; title and address can.
        entry.add("uid", f"event-{event_id}@{self._host}")
        entry.add("dtstamp", changed)
        entry.add("last-modified", changed)
        return entry


def span(start: datetime, end: datetime | None, *, whole_days: bool) -> tuple[date, date | None]:
    """Return start and end of an event as a calendar has them: days, or times to the second.

    :param whole_days: whether an event lasts whole days if it starts at midnight UTC, as a date
        without a time does, and ends at midnight UTC or has no end. The day of its end is included:
        ``2026-05-02`` to ``2026-05-04`` are three days.
    :returns: the start, and the exclusive end. The end is None if the event has no duration, or
        lasts one whole day.
    """
    if whole_days and is_whole_days(start, end):
        first, last = start.date(), (end or start).date()
        return first, None if last in (first, date.max) else last + timedelta(days=1)
    first_second, last_second = _to_the_second(start), _to_the_second(end or start)
    return first_second, last_second if last_second > first_second else None


def clean_text(value: str) -> str:
    """Return a text with uniform line ends and without the characters that iCalendar excludes."""
    return _CONTROLS.sub("", _LINE_BREAKS.sub("\n", value))


def _description(event: Mapping[str, Any]) -> str:
    """Return the description, and as much of the content as fits."""
    content = " ".join(plain_text(event["content"] or "").split())
    full = clean_text("\n\n".join(filter(None, (event["description"], content))))
    return full if len(full) <= MAX_DESCRIPTION else full[: MAX_DESCRIPTION - 1].rstrip() + "…"


def _to_the_second(moment: datetime) -> datetime:
    return moment.astimezone(UTC).replace(microsecond=0)
