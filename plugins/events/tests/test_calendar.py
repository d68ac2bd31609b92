"""Two parsers read the calendar, which has the values of the API and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any

import icalendar
import pytest
import vobject
from hypothesis import given
from hypothesis import settings as profile
from hypothesis import strategies as st

from masthead import Instance, change_organisation
from masthead.testing import Client, Clock, Desk

PATH = "/api/feed/events.ics"
START, END = "2026-05-02T18:00:00.000Z", "2026-05-02T20:30:00.000Z"
NOW = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)


def entries(app: Client) -> list[Any]:
    """Return the entries of the calendar, after a second parser has accepted it too."""
    answer = app.get(PATH)
    vobject.readOne(answer.body.decode()).serialize()
    return list(icalendar.Calendar.from_ical(answer.body).walk("VEVENT"))


def text(entry: Any, name: str) -> str:
    return str(entry.get(name, ""))


def test_an_event_is_in_the_calendar_as_it_is_on_the_site(
    clock: Clock, app: Client, desk: Desk, make_tag: Callable[[str], Any]
) -> None:
    assert clock.now() == NOW
    tags = [make_tag(name)["id"] for name in ("Water, clean", "Air")]
    event = desk.create_public(
        title="Größe; 東京, \\ and more",
        description="A teaser",
        content="<p>One &amp; two</p><p>three</p>",
        startDate=START,
        endDate=END,
        location="Town hall, 2nd floor",
        tagIds=tags,
    )

    answer = app.get(PATH)
    [entry] = entries(app)

    assert answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
    assert text(entry, "UID") == f"event-{event['id']}@127.0.0.1"
    assert text(entry, "SUMMARY") == event["title"]
    assert text(entry, "DESCRIPTION") == "A teaser\n\nOne & two three"
    assert text(entry, "LOCATION") == event["location"]
    assert text(entry, "URL") == f"http://127.0.0.1:6543/events/{event['slug']}"
    assert entry.categories == ["Air", "Water, clean"]
    assert entry.decoded("DTSTART") == datetime(2026, 5, 2, 18, tzinfo=UTC)
    assert entry.decoded("DTEND") == datetime(2026, 5, 2, 20, 30, tzinfo=UTC)
    assert entry.decoded("DTSTAMP") == entry.decoded("LAST-MODIFIED") == NOW
    assert b"\r\nDTSTART:20260502T180000Z\r\nDTEND:20260502T203000Z\r\n" in answer.body
    assert "STATUS" not in entry


def test_the_calendar_has_its_producer_and_refresh_interval(app: Client) -> None:
    calendar = icalendar.Calendar.from_ical(app.get(PATH).body)

    assert text(calendar, "VERSION") == "2.0"
    assert text(calendar, "PRODID") == "-//Masthead//Events//EN"
    assert text(calendar, "X-WR-CALNAME") == "Events"
    assert b"\r\nREFRESH-INTERVAL;VALUE=DURATION:PT1H\r\n" in app.get(PATH).body
    assert entries(app) == []


def test_lines_are_folded_and_end_with_crlf(app: Client, desk: Desk) -> None:
    desk.create_public(title="東" * 200, content="<p>" + "ä" * 900 + "</p>", startDate=START)

    body = app.get(PATH).body

    lines = body.split(b"\r\n")
    assert lines[-1] == b""
    assert max(len(line) for line in lines) <= 75
    assert not {b"\r", b"\n"} & {bytes([byte]) for line in lines for byte in line}
    assert [line.decode() for line in lines]


@pytest.mark.usefixtures("clock")
def test_the_calendar_is_cached_for_an_hour_and_revalidated(app: Client, desk: Desk) -> None:
    desk.create_public(startDate=START)
    first = app.get(PATH)

    assert first.headers["Cache-Control"] == "max-age=3600"
    asked = {"If-None-Match": first.headers["ETag"]}
    assert app.get(PATH, headers=asked, status=304).body == b""
    desk.create_public(startDate=START)
    assert app.get(PATH, headers=asked).body.count(b"BEGIN:VEVENT") == 2


@pytest.mark.parametrize(
    ("start", "end", "days"),
    [
        ("2026-05-02", None, 1),
        ("2026-05-02", "2026-05-02", 1),
        ("2026-05-02", "2026-05-03", 2),
        ("2026-05-02", "2026-05-04", 3),
        ("2024-02-28", "2024-03-01", 3),
        ("9999-12-31", None, 1),
        ("9999-12-31", "9999-12-31", 1),
    ],
)
def test_dates_without_times_make_whole_days_including_the_last(
    start: str, end: str | None, days: int, app: Client, desk: Desk
) -> None:
    desk.create_public(startDate=start, endDate=end)

    [entry] = entries(app)

    first = date.fromisoformat(start)
    assert entry.decoded("DTSTART") == first
    assert entry["DTSTART"].params["VALUE"] == "DATE"
    if days == 1:
        assert "DTEND" not in entry
    else:
        assert entry.decoded("DTEND") == first + timedelta(days=days)


@pytest.mark.parametrize(
    ("start", "end", "shown"),
    [
        ("2026-05-02T00:00:00.001Z", None, None),
        ("2026-05-02", "2026-05-02T01:30:00Z", "20260502T013000Z"),
        ("2026-05-02T01:00:00Z", "2026-05-03", "20260503T000000Z"),
        ("2026-05-02T00:00:00+02:00", None, None),
        (START, START, None),
        ("2026-05-02T18:00:00.100Z", "2026-05-02T18:00:00.900Z", None),
        ("0001-01-01T01:00:00Z", "9999-12-31T23:59:59.999Z", "99991231T235959Z"),
    ],
)
def test_other_times_are_times(
    start: str, end: str | None, shown: str | None, app: Client, desk: Desk
) -> None:
    desk.create_public(startDate=start, endDate=end)

    [entry] = entries(app)

    assert isinstance(entry.decoded("DTSTART"), datetime)
    assert (entry["DTEND"].to_ical().decode() if "DTEND" in entry else None) == shown


class TestWithoutWholeDays:
    @pytest.fixture
    def settings(self) -> Mapping[str, str]:
        return {"masthead.events.whole_days": "false"}

    @pytest.mark.parametrize(
        ("start", "end", "shown"),
        [
            ("2026-01-15T19:00:00-05:00", None, ["20260116T000000Z"]),
            ("2026-01-16", "2026-01-18", ["20260116T000000Z", "20260118T000000Z"]),
            ("2026-01-16T09:00:00+09:00", "2026-01-16", ["20260116T000000Z"]),
        ],
    )
    def test_midnight_is_a_time_like_others(
        self, start: str, end: str | None, shown: list[str], app: Client, desk: Desk
    ) -> None:
        desk.create_public(startDate=start, endDate=end)

        [entry] = entries(app)

        times = [entry[name] for name in ("DTSTART", "DTEND") if name in entry]
        assert [time.to_ical().decode() for time in times] == shown


def test_a_long_text_is_truncated(app: Client, desk: Desk) -> None:
    desk.create_public(description="word " * 50, content="<p>" + "text " * 500, startDate=START)

    description = text(entries(app)[0], "DESCRIPTION")

    assert 990 < len(description) <= 1000
    assert description.endswith("…")


@pytest.mark.usefixtures("clock")
def test_an_event_keeps_its_uid_when_its_title_changes(app: Client, desk: Desk) -> None:
    event = desk.create_public(startDate=START)
    uid = text(entries(app)[0], "UID")

    desk.as_role("admin").edit(event["id"], title="Another", startDate=END)

    assert text(entries(app)[0], "UID") == uid
    assert text(entries(app)[0], "SUMMARY") == "Another"


def test_an_edit_changes_last_modified_once_the_public_sees_it(
    clock: Clock, app: Client, desk: Desk
) -> None:
    event = desk.create_public(startDate=START)
    clock.shift(hours=1)
    desk.edit(event["id"], title="Staged")
    assert entries(app)[0].decoded("LAST-MODIFIED") == NOW

    clock.shift(hours=1)
    desk.publish(event["id"])
    assert entries(app)[0].decoded("LAST-MODIFIED") == NOW + timedelta(hours=2)

    clock.shift(hours=1)
    desk.as_role("admin").edit(event["id"], title="Live")
    assert entries(app)[0].decoded("LAST-MODIFIED") == NOW + timedelta(hours=3)


def test_a_scheduled_event_is_modified_when_it_appears(
    clock: Clock, app: Client, desk: Desk
) -> None:
    due = NOW + timedelta(days=1)
    desk.create_public(startDate=START, scheduledPublishAt=due.isoformat())
    assert entries(app) == []

    clock.move_to(due)

    assert entries(app)[0].decoded("LAST-MODIFIED") == due


@pytest.mark.slow
def test_the_calendar_has_the_events_with_the_latest_starts(
    app: Client, import_events: Callable[[str], Any]
) -> None:
    lines = [
        f'{{"title": "{number}", "startDate": "2026-05-02T{number // 60:02}:{number % 60:02}"}}\n'
        for number in range(1_001)
    ]
    assert import_events("".join(lines)).exit_code == 0

    titles = [text(entry, "SUMMARY") for entry in entries(app)]

    assert titles == [str(number) for number in range(1, 1_001)]


_WORDS = st.text(
    st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from('\r\n\t;,:\\"^ ('),
    max_size=80,
)


@pytest.mark.slow
@profile(
    max_examples=25,
)
@given(_WORDS, _WORDS)
def test_any_text_is_read_as_it_was_written(
    app: Client, desk: Desk, title: str, location: str
) -> None:
    event = desk.create(title=f"T {title}", location=location, startDate=START)
    desk.publish(event["id"])

    found = {text(entry, "UID"): entry for entry in entries(app)}
    entry = found[f"event-{event['id']}@127.0.0.1"]

    assert text(entry, "SUMMARY") == printable(event["title"])
    assert text(entry, "LOCATION") == printable(event["location"] or "")
    desk.delete(event["id"])


def printable(value: str) -> str:
    """Return a text as a calendar can hold it."""
    for line_end in ("\r\n", "\r", "\x85", "\u2028", "\u2029"):
        value = value.replace(line_end, "\n")
    return "".join(c for c in value if c in "\n\t" or not "\x7f" <= c <= "\x9f")


def test_the_calendar_has_the_name_and_the_time_zone_of_the_organisation(
    app: Client, instance: Instance
) -> None:
    def described() -> tuple[str, str]:
        calendar = icalendar.Calendar.from_ical(app.get(PATH).body)
        return str(calendar["X-WR-CALNAME"]), str(calendar["X-WR-TIMEZONE"])

    assert described() == ("Events", "UTC")
    with instance.database.session() as session, session.begin():
        change_organisation(session, {"name": "Alder", "timeZone": "Asia/Tokyo"})

    assert described() == ("Alder", "Asia/Tokyo")
