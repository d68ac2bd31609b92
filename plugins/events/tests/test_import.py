"""Events of real organisations (see NOTICE) are imported unchanged, and shown in the calendar."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import icalendar
import pytest
from click.testing import Result

from masthead.testing import Client, Desk

LINES = Path(__file__).with_name("events.jsonl").read_text()
SENT = sorted(map(json.loads, LINES.splitlines()), key=lambda event: str(event["startDate"]))

Import = Callable[[str], Result]


def test_every_event_is_imported_unchanged(import_events: Import, desk: Desk) -> None:
    assert import_events(LINES).stdout == f"imported {len(SENT)}, warnings 0, errors 0\n"

    shown = desk.public_list()
    for name in ("title", "startDate", "endDate", "location", "link"):
        assert [item[name] for item in shown] == [item.get(name) for item in SENT]
    assert [sorted(tag["name"].lower() for tag in item["tags"]) for item in shown] == [
        sorted(name.lower() for name in item["tags"]) for item in SENT
    ]
    assert len({item["slug"] for item in shown} - {None}) == len(SENT)


@pytest.mark.usefixtures("clock")
def test_future_events_are_upcoming(import_events: Import, desk: Desk) -> None:
    import_events(LINES)

    upcoming = [item["title"] for item in desk.public_list(upcoming="true")]

    assert upcoming == [item["title"] for item in SENT if item["startDate"] > "2026-03-01"]
    assert len(upcoming) == 8


def test_the_calendar_has_them_all_in_any_script(import_events: Import, app: Client) -> None:
    import_events(LINES)

    calendar = icalendar.Calendar.from_ical(app.get("/api/feed/events.ics").body)

    entries = list(calendar.walk("VEVENT"))
    assert [str(entry["SUMMARY"]) for entry in entries] == [item["title"] for item in SENT]
    days = {str(entry["SUMMARY"]): entry["DTSTART"].params.get("VALUE") for entry in entries}
    assert {title for title, value in days.items() if value == "DATE"} == {
        "AI UK",
        "Software Sustainability Institute's Collaborations Workshop",
    }


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({}, "startDate: Required"),
        ({"startDate": "soon"}, "startDate: "),
        ({"startDate": "2026-05-02", "endDate": "2026-05-01"}, "endDate: "),
    ],
)
def test_a_line_with_invalid_dates_is_reported(
    wrong: dict[str, Any], named: str, import_events: Import, desk: Desk
) -> None:
    result = import_events(json.dumps({"title": "One", **wrong}))

    assert result.exit_code == 1, result.output
    assert result.stderr.startswith(f"line 1: {named}")
    assert desk.public_list() == []
