"""The import of calendars."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import time_machine

from masthead import Invalid
from masthead_importers.calendars import CalendarExport
from masthead_importers.report import Report

MoveIn = Callable[..., Report]
Read = Callable[..., Any]
Write = Callable[..., Path]
NOW = "2026-06-01T12:00:00Z"


def event(*lines: str, uid: str = "1@old", summary: str = "Fair") -> str:
    return "\r\n".join(["BEGIN:VEVENT", f"UID:{uid}", f"SUMMARY:{summary}", *lines, "END:VEVENT"])


def calendar(*events: str, head: str = "") -> str:
    start = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//old//", *filter(None, [head])]
    return "\r\n".join([*start, *events, "END:VCALENDAR", ""])


@pytest.fixture
def do_import(move_in: MoveIn, export: Write) -> Callable[..., Report]:
    def run(*events: str, head: str = "", zone: Any = UTC, **options: Any) -> Report:
        with time_machine.travel(NOW, tick=False):
            source = CalendarExport([export(calendar(*events, head=head), "c.ics")], zone)
            return move_in(source, **options)

    return run


def starts(read: Read) -> list[tuple[str, str | None]]:
    return [(each["startDate"], each["endDate"]) for each in read("/api/events")]


@pytest.mark.parametrize(
    ("lines", "start", "end"),
    [
        (["DTSTART:20270502T180000Z"], "2027-05-02T18:00:00.000Z", None),
        (["DTSTART;VALUE=DATE:20270502"], "2027-05-02T00:00:00.000Z", None),
        (
            ["DTSTART;VALUE=DATE:20270502", "DTEND;VALUE=DATE:20270503"],
            *("2027-05-02T00:00:00.000Z", None),
        ),
        (
            ["DTSTART;VALUE=DATE:20270502", "DTEND;VALUE=DATE:20270505"],
            *("2027-05-02T00:00:00.000Z", "2027-05-04T00:00:00.000Z"),
        ),
        (
            ["DTSTART;TZID=Europe/Berlin:20270502T180000", "DURATION:PT90M"],
            *("2027-05-02T16:00:00.000Z", "2027-05-02T17:30:00.000Z"),
        ),
        (["DTSTART:20270502T180000"], "2027-05-02T22:00:00.000Z", None),
        (["DTSTART;TZID=Mars/One:20270502T180000"], "2027-05-02T22:00:00.000Z", None),
        (
            ["DTSTART:20270502T180000Z", "DTEND:20270502T170000Z"],
            *("2027-05-02T18:00:00.000Z", None),
        ),
    ],
)
def test_times_are_those_of_the_calendar(
    do_import: Callable[..., Report], read: Read, lines: list[str], start: str, end: str | None
) -> None:
    report = do_import(event(*lines), zone=ZoneInfo("America/New_York"))

    assert starts(read) == [(start, end)]
    assert any("unknown time zone" in line for line in report.lines()) is ("Mars" in lines[0])


def test_times_without_a_zone_are_of_the_calendar_if_it_has_one(
    do_import: Callable[..., Report], read: Read
) -> None:
    do_import(event("DTSTART:20270502T180000"), head="X-WR-TIMEZONE:Asia/Tokyo")

    assert starts(read) == [("2027-05-02T09:00:00.000Z", None)]


def test_an_event_arrives_with_all_its_texts(do_import: Callable[..., Report], read: Read) -> None:
    do_import(
        event(
            "DTSTART:20270502T180000Z",
            "LOCATION:Hall\\, Kin Street",
            "URL:https://a.example/fair",
            "CATEGORIES:Music,Tea & Cake",
            "DESCRIPTION:Come <all>!\\nSee https://a.example/x.\\n\\nBye",
            summary="Fair & Feast",
        )
    )

    [item] = read("/api/events")
    assert (item["title"], item["location"], item["link"]) == (
        *("Fair & Feast", "Hall, Kin Street", "https://a.example/fair"),
    )
    assert [tag["name"] for tag in item["tags"]] == ["Music", "Tea & Cake"]
    assert read(f"/api/events/{item['slug']}")["content"] == (
        '<p>Come &lt;all&gt;!<br>\nSee <a href="https://a.example/x">https://a.example/x</a>.</p>\n'
        "<p>Bye</p>"
    )


def test_what_nobody_should_see_is_left_out_or_a_draft(
    do_import: Callable[..., Report], read: Read
) -> None:
    report = do_import(
        event("DTSTART:20270502T180000Z", "STATUS:CANCELLED", uid="1"),
        event("DTSTART:20270502T180000Z", "CLASS:PRIVATE", uid="2"),
        event("DTSTART:99991231T235959Z", uid="3"),
        event("DTSTART:00010101T000000Z", uid="4"),
        event(uid="5"),
        event("DTSTART:nonsense", uid="6"),
    )

    assert read("/api/events") == []
    assert list(report.lines()) == [
        "events: imported 1, skipped 0, errors 0",
        "left out: 1 cancelled events",
        "warning: an event without a valid start is left out (4)",
        "  Fair",
    ]


@pytest.mark.parametrize(
    ("lines", "days"),
    [
        (["RRULE:FREQ=DAILY;COUNT=3"], ["2026-06-08", "2026-06-09", "2026-06-10"]),
        (["RRULE:FREQ=WEEKLY;UNTIL=20260622T180000Z"], ["2026-06-08", "2026-06-15", "2026-06-22"]),
        (["RRULE:FREQ=WEEKLY;UNTIL=20260615"], ["2026-06-08", "2026-06-15"]),
        (
            ["RRULE:FREQ=WEEKLY;COUNT=4", "EXDATE;TZID=Europe/Berlin:20260615T180000"],
            ["2026-06-08", "2026-06-22", "2026-06-29"],
        ),
        (["RDATE;TZID=Europe/Berlin:20260701T180000"], ["2026-06-08", "2026-07-01"]),
        (["RRULE:FREQ=SECONDLY"], ["2026-06-08"]),
        (["RRULE:FREQ=DAILY;INTERVAL=0;BYMONTHDAY=9"], ["2026-06-08"]),
        (["RRULE:FREQ=WEEKLY;COUNT=x"], ["2026-06-08"]),
    ],
)
def test_a_series_has_its_dates(
    do_import: Callable[..., Report], read: Read, lines: list[str], days: list[str]
) -> None:
    do_import(event("DTSTART;TZID=Europe/Berlin:20260608T180000", *lines))

    assert [start for start, _ in starts(read)] == [f"{day}T16:00:00.000Z" for day in days]


def test_a_series_keeps_its_local_time_and_ends_after_a_year(
    do_import: Callable[..., Report], read: Read
) -> None:
    report = do_import(
        event("DTSTART;TZID=Europe/Berlin:20200115T180000", "RRULE:FREQ=MONTHLY", "DURATION:PT1H")
    )

    dates = starts(read)
    assert (dates[0], dates[-1]) == (
        ("2026-06-15T16:00:00.000Z", "2026-06-15T17:00:00.000Z"),
        ("2027-05-15T16:00:00.000Z", "2027-05-15T17:00:00.000Z"),
    )
    assert ("2026-12-15T17:00:00.000Z", "2026-12-15T18:00:00.000Z") in dates
    assert len(dates) == 12
    assert "warning: a series is imported for the coming year only (1)" in list(report.lines())


def test_a_series_of_the_past_has_one_event(do_import: Callable[..., Report], read: Read) -> None:
    do_import(event("DTSTART;VALUE=DATE:20200115", "RRULE:FREQ=DAILY;COUNT=9"))

    assert starts(read) == [("2020-01-15T00:00:00.000Z", None)]


def test_a_changed_date_of_a_series_replaces_it(
    do_import: Callable[..., Report], read: Read
) -> None:
    series = event("DTSTART:20260608T180000Z", "RRULE:FREQ=WEEKLY;COUNT=3")
    moved = event("DTSTART:20260616T190000Z", "RECURRENCE-ID:20260615T180000Z")
    ended = event("DTSTART:20260622T180000Z", "RECURRENCE-ID:20260622T180000Z", "STATUS:CANCELLED")

    do_import(series, moved, ended)

    assert [start[:13] for start, _ in starts(read)] == ["2026-06-08T18", "2026-06-16T19"]


def test_a_repeated_import_adds_new_dates_only(do_import: Callable[..., Report]) -> None:
    series = event("DTSTART:20260608T180000Z", "RRULE:FREQ=WEEKLY;COUNT=3")
    do_import(series)

    again = do_import(series, event("DTSTART:20260608T180000Z", uid="2"))

    assert again.outcomes["events"] == {"imported": 1, "skipped": 3}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("BEGIN:VCARD\r\nEND:VCARD\r\n", "c.ics is a vCard file, not an iCalendar file"),
        ("", "c.ics is empty, not an iCalendar file"),
        ("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nEND:VCALENDAR\r\n", "c.ics is damaged: "),
    ],
)
def test_other_files_are_named_in_one_line(
    move_in: MoveIn, export: Write, content: str, message: str
) -> None:
    with pytest.raises(Invalid) as refused:
        move_in(CalendarExport([export(content, "c.ics")], UTC))

    assert refused.value.message.startswith(message)
    assert "\n" not in refused.value.message
