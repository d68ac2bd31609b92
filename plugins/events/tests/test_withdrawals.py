"""Events that the public sees no longer: called off in the calendar, and nothing else said."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import icalendar
import pytest
import vobject

from masthead.testing import Client, Clock, Desk
from masthead_events import withdrawals

PATH = "/api/feed/events.ics"
START = "2026-05-02T18:00:00.000Z"
LATER = "2026-03-04T00:00:00.000Z"
NOW = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)


def entries(app: Client) -> dict[str, Any]:
    """The calendar's entries by their UIDs."""
    body = app.get(PATH).body
    vobject.readOne(body.decode()).serialize()
    found = icalendar.Calendar.from_ical(body).walk("VEVENT")
    return {str(entry["UID"]): entry for entry in found}


def is_called_off(app: Client, event: dict[str, Any]) -> bool:
    entry = entries(app).get(f"event-{event['id']}@127.0.0.1", {})
    return bool(entry.get("STATUS") == "CANCELLED")


WAYS: dict[str, Callable[[Desk, int], Any]] = {
    "taken down": lambda desk, event: desk.edit(event, published=False),
    "taken down with others": lambda desk, event: desk.bulk("unpublish", [event]),
    "reworked": lambda desk, event: desk.edit(event, published=False, title="Reworked"),
    "withheld": lambda desk, event: desk.as_role("admin").edit(event, scheduledPublishAt=LATER),
    "deleted": lambda desk, event: desk.delete(event),
    "deleted with others": lambda desk, event: desk.bulk("delete", [event]),
}


@pytest.mark.parametrize("way", WAYS)
def test_an_event_that_was_public_is_called_off(
    way: str, clock: Clock, app: Client, desk: Desk
) -> None:
    event = desk.create_public(title="Canary", startDate=START, location="Canary")
    [uid] = entries(app)
    clock.shift(days=1)

    WAYS[way](desk, event["id"])

    entry = entries(app)[uid]
    assert {name: entry.decoded(name) for name in entry} == {
        "UID": uid,
        "DTSTAMP": NOW + timedelta(days=1),
        "LAST-MODIFIED": NOW + timedelta(days=1),
        "SUMMARY": "Cancelled",
        "STATUS": "CANCELLED",
        "DTSTART": date(1970, 1, 1),
    }


@pytest.mark.usefixtures("clock")
def test_an_event_that_was_never_public_is_not(app: Client, desk: Desk) -> None:
    draft = desk.create(startDate=START)
    withheld = desk.create_public(startDate=START, scheduledPublishAt=LATER)
    desk.edit(withheld["id"], published=False)
    desk.delete(draft["id"])
    rejected = desk.create(startDate=START)
    desk.request(rejected["id"])
    desk.as_role("admin").reject(rejected["id"])

    assert entries(app) == {}


def test_a_draft_that_is_edited_says_nothing_of_it(clock: Clock, app: Client, desk: Desk) -> None:
    event = desk.create_public(startDate=START)
    desk.edit(event["id"], published=False)
    before = app.get(PATH).body

    clock.shift(days=1)
    desk.edit(event["id"], title="Reworked", startDate=LATER)
    desk.request(event["id"])

    assert app.get(PATH).body == before


def test_an_event_that_shows_again_takes_place(clock: Clock, app: Client, desk: Desk) -> None:
    event = desk.create_public(startDate=START)
    desk.edit(event["id"], published=False)
    desk.bulk("publish", [event["id"]])
    assert not is_called_off(app, event)

    desk.as_role("admin").edit(event["id"], scheduledPublishAt=LATER)
    assert is_called_off(app, event)
    clock.move_to(LATER)
    assert not is_called_off(app, event)
    assert len(entries(app)) == 1

    clock.shift(days=1)
    desk.edit(event["id"], published=False)
    assert is_called_off(app, event)
    [entry] = entries(app).values()
    assert entry.decoded("DTSTAMP") == datetime(2026, 3, 5, tzinfo=UTC)


def test_those_that_show_again_take_no_place_of_others(
    monkeypatch: pytest.MonkeyPatch, clock: Clock, app: Client, desk: Desk
) -> None:
    monkeypatch.setattr(withdrawals, "MOST", 2)
    called_off = [desk.create_public(startDate=START) for _ in range(3)]
    again = [desk.create_public(startDate=START)["id"] for _ in range(2)]
    for event in called_off:
        desk.delete(event["id"])
        clock.shift(minutes=1)

    desk.bulk("unpublish", again)
    desk.bulk("publish", again)

    assert [is_called_off(app, event) for event in called_off] == [False, True, True]


@pytest.mark.usefixtures("clock")
def test_a_staged_edit_calls_nothing_off(app: Client, desk: Desk) -> None:
    event = desk.create_public(startDate=START)
    desk.edit(event["id"], title="Staged")
    desk.request(event["id"])
    desk.as_role("admin").reject(event["id"])

    assert not is_called_off(app, event)


def test_after_ninety_days_it_is_forgotten(
    clock: Clock, app: Client, desk: Desk, work: Callable[[], None]
) -> None:
    event = desk.create_public(startDate=START)
    desk.edit(event["id"], published=False)

    clock.shift(days=90)
    work()
    assert is_called_off(app, event)
    clock.shift(days=1, milliseconds=1)
    work()

    assert entries(app) == {}
