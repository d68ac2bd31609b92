"""Calendars (iCalendar, RFC 5545): their events, series included."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta, tzinfo
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import icalendar

from masthead import HEAD_SIZE, Invalid, kind_of_file, utcnow
from masthead_importers.entries import EVENT, Entry, Export
from masthead_importers.files import MIB, wrong_kind
from masthead_importers.markup import link
from masthead_importers.report import Report
from masthead_importers.series import occurrences, read_value

WANTED = "an iCalendar file"
_LARGEST = 64 * MIB
_FIRST_YEAR, _LAST_YEAR = 2, 9998
"""The years whose times can be shifted into every time zone."""
_BEGIN = re.compile(rb"^BEGIN:VEVENT\s*$", re.MULTILINE | re.IGNORECASE)
_END = re.compile(rb"^END:VEVENT\s*$", re.MULTILINE | re.IGNORECASE)
_ADDRESS = re.compile(r"https?://[^\s<>\"]+[^\s<>\".,;:!?)]")


class CalendarExport(Export):
    """One or several calendars."""

    format = "icalendar"

    def __init__(self, files: Sequence[Path], zone: tzinfo) -> None:
        """Take the files, and the time zone of times without one."""
        super().__init__()
        self._files = files
        self._zone = zone
        self._now = utcnow()

    def entries(self, report: Report) -> Iterator[Entry]:
        """Read all events, and the dates of series in the coming year."""
        for path in self._files:
            for calendar in _read(path):
                zone = _zone_named(str(calendar.get("X-WR-TIMEZONE", ""))) or self._zone
                changed = _changed_dates(calendar)
                for event in calendar.walk("VEVENT"):
                    yield from self._read_event(_Event(event, zone, report), changed, report)

    def html(self, entry: Entry, report: Report) -> str:  # noqa: ARG002 - nothing is left out
        """Return the description, as paragraphs with links if it is plain text."""
        text, is_html = entry.source
        if is_html:
            return str(text)
        paragraphs = re.split(r"\n[ \t]*(?:\n[ \t]*)+", str(text).strip())
        return "".join(f"<p>{_linked(each)}</p>\n" for each in paragraphs if each.strip())

    def _read_event(
        self, event: _Event, changed: dict[str, list[date]], report: Report
    ) -> Iterator[Entry]:
        if event.text("STATUS").upper() == "CANCELLED":
            report.left_out["cancelled events"] += 1
            return
        if event.start is None:
            report.warn("an event without a valid start is left out", event.text("SUMMARY"))
            return
        if not event.is_series:
            yield self._entry(event, event.start, event.key)
            return
        found = occurrences(event.component, event.start, changed[event.uid], self._now)
        if not found.starts:
            report.warn("a series without a date in the coming year has one event", event.name)
            yield self._entry(event, event.start, event.key)
            return
        if found.continues:
            report.warn("a series is imported for the coming year only", event.name)
        for start in found.starts:
            yield self._entry(event, start, f"{event.uid}/{start.isoformat()}")

    def _entry(self, event: _Event, start: date, key: str) -> Entry:
        address = event.text("URL")
        is_own = bool(self.home) and address.startswith(f"{self.home}/")
        values = {
            "startDate": event.written(start),
            "endDate": event.end_after(start),
            "location": event.text("LOCATION"),
            "link": "" if is_own else address,
        }
        return Entry(
            kind=EVENT,
            id=key,
            title=escape(event.name),
            source=event.description,
            public=event.text("CLASS").upper() in ("", "PUBLIC"),
            tags=[escape(tag) for tag in event.categories],
            address=address if is_own else "",
            values=values,
        )


class _Event:
    """An event of a calendar."""

    def __init__(self, component: Any, zone: tzinfo, report: Report) -> None:
        self.component = component
        self._zone = zone
        self._report = report
        self.start = self._time("DTSTART")
        self.name = self.text("SUMMARY") or "Event"
        self.uid = self.text("UID") or self._invented_uid()

    @property
    def key(self) -> str:
        """The id of a single event, or of a changed date of a series."""
        changed = _moment(self.component, "RECURRENCE-ID")
        return f"{self.uid}/{changed.isoformat()}" if changed else self.uid

    @property
    def is_series(self) -> bool:
        """Whether it has several dates."""
        repeats = "RRULE" in self.component or "RDATE" in self.component
        return repeats and "RECURRENCE-ID" not in self.component

    @property
    def categories(self) -> list[str]:
        """The names of its categories."""
        try:
            return [str(each) for each in self.component.categories]
        except (AttributeError, TypeError, ValueError):
            return []

    @property
    def description(self) -> tuple[str, bool]:
        """Its description, and whether it is HTML."""
        if html := self.text("X-ALT-DESC"):
            return html, True
        text = self.text("DESCRIPTION")
        # Some calendars write HTML here, although the standard says plain text.
        return text, bool(re.search(r"<(?:p|br|a|b|ul|div)\b[^<>]*>", text))

    def text(self, name: str) -> str:
        """Return the text of a property; of several ones, the first."""
        value = self.component.get(name)
        value = value[0] if isinstance(value, list) and value else value
        return str(value).strip() if value is not None else ""

    def written(self, moment: date) -> str:
        """Return a day as a date, and a time in UTC."""
        if isinstance(moment, datetime):
            return moment.astimezone(UTC).isoformat()
        return moment.isoformat()

    def end_after(self, start: date) -> str:
        """Return the end of a date that begins at ``start``; blank if it has none.

        The last day of whole days is included.
        """
        length = self._length()
        if not isinstance(start, datetime):
            length -= timedelta(days=1)
        try:
            return self.written(start + length) if length > timedelta(0) else ""
        except OverflowError:
            return ""

    def _length(self) -> timedelta:
        end, duration = self._time("DTEND"), self.component.get("DURATION")
        if end is not None and isinstance(end, datetime) == isinstance(self.start, datetime):
            return end - self.start if self.start else timedelta(0)
        value = read_value(duration, "dt")
        if isinstance(value, timedelta):
            return value
        return timedelta(0)

    def _time(self, name: str) -> date | None:
        moment = _moment(self.component, name)
        if moment is None or not _FIRST_YEAR <= moment.year <= _LAST_YEAR:
            return None
        if isinstance(moment, datetime) and moment.tzinfo is None:
            zone = self.component[name].params.get("TZID")
            if zone:
                self._report.warn(f"an unknown time zone is read as {self._zone}", str(zone))
            return moment.replace(tzinfo=self._zone)
        return moment

    def _invented_uid(self) -> str:
        self._report.warn("an event without UID is known by its title and start", self.name)
        return sha256(f"{self.name}\n{self.start}".encode()).hexdigest()[:24]


def _read(path: Path) -> list[Any]:
    """Return the calendars in a file."""
    if path.stat().st_size > _LARGEST:
        raise Invalid(f"{path.name} is larger than {_LARGEST // MIB} MiB")
    content = path.read_bytes()
    if kind_of_file(content[:HEAD_SIZE]) != WANTED:
        raise wrong_kind(path, WANTED)
    if len(_BEGIN.findall(content)) != len(_END.findall(content)):
        raise Invalid(f"{path.name} is damaged: an event has no end")
    try:
        return list(icalendar.Calendar.from_ical(content, multiple=True))
    except (ValueError, KeyError, IndexError, AttributeError, TypeError) as error:
        raise Invalid(f"{path.name} is damaged: {' '.join(str(error).split())[:200]}") from None


def _moment(component: Any, name: str) -> date | None:
    value = component.get(name)
    value = value[0] if isinstance(value, list) and value else value
    moment = read_value(value, "dt")
    return moment if isinstance(moment, date) else None


def _changed_dates(calendar: Any) -> dict[str, list[date]]:
    """Return the dates of each series that have events of their own, by UID."""
    changed: dict[str, list[date]] = defaultdict(list)
    for event in calendar.walk("VEVENT"):
        if (moment := _moment(event, "RECURRENCE-ID")) is not None:
            changed[str(event.get("UID", "")).strip()].append(moment)
    return changed


def _zone_named(name: str) -> tzinfo | None:
    try:
        return ZoneInfo(name) if name else None
    except (ValueError, OSError):
        return None


def _linked(text: str) -> str:
    """Return plain text as HTML with breaks and links."""
    parts, end = [], 0
    for found in _ADDRESS.finditer(text):
        parts += [escape(text[end : found.start()]), link(found[0])]
        end = found.end()
    return "".join([*parts, escape(text[end:])]).replace("\n", "<br>\n")
