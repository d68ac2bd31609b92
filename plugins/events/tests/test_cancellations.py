"""An event that is no longer public is cancelled in the calendar, which reveals nothing else."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import icalendar
import pytest
import vobject

from masthead.testing import Client, Clock, Desk
from masthead_events import cancellations

PATH = "/api/feed/events.ics"
START = "2026-05-02T18:00:00.000Z"
LATER = "2026-03-04T00:00:00.000Z"
NOW = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)


def entries(app: Client) -> dict[str, Any]:
    """Return the calendar's entries by UID."""
    body = app.get(PATH).body
    vobject.readOne(body.decode()).serialize()
    found = icalendar.Calendar.from_ical(body).walk("VEVENT")
    return {str(entry["UID"]): entry for entry in found}


def is_cancelled(app: Client, event: dict[str, Any]) -> bool:
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
def test_an_event_that_was_public_is_cancelled(
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
def test_an_event_that_was_never_public_is_not_cancelled(app: Client, desk: Desk) -> None:
    draft = desk.create(startDate=START)
    withheld = desk.create_public(startDate=START, scheduledPublishAt=LATER)
    desk.edit(withheld["id"], published=False)
    desk.delete(draft["id"])
    rejected = desk.create(startDate=START)
    desk.request(rejected["id"])
    desk.as_role("admin").reject(rejected["id"])

    assert entries(app) == {}


def test_an_edit_of_a_draft_does_not_change_the_calendar(
    clock: Clock, app: Client, desk: Desk
) -> None:
    event = desk.create_public(startDate=START)
    desk.edit(event["id"], published=False)
    before = app.get(PATH).body

    clock.shift(days=1)
    desk.edit(event["id"], title="Reworked", startDate=LATER)
    desk.request(event["id"])

    assert app.get(PATH).body == before


def test_an_event_that_is_public_again_is_not_cancelled(
    clock: Clock, app: Client, desk: Desk
) -> None:
    event = desk.create_public(startDate=START)
    desk.edit(event["id"], published=False)
    desk.bulk("publish", [event["id"]])
    assert not is_cancelled(app, event)

    desk.as_role("admin").edit(event["id"], scheduledPublishAt=LATER)
    assert is_cancelled(app, event)
    clock.move_to(LATER)
    assert not is_cancelled(app, event)
    assert len(entries(app)) == 1

    clock.shift(days=1)
    desk.edit(event["id"], published=False)
    assert is_cancelled(app, event)
    [entry] = entries(app).values()
    assert entry.decoded("DTSTAMP") == datetime(2026, 3, 5, tzinfo=UTC)


def test_events_that_are_public_again_do_not_count_towards_the_limit(
    monkeypatch: pytest.MonkeyPatch, clock: Clock, app: Client, desk: Desk
) -> None:
    monkeypatch.setattr(cancellations, "MAX_CANCELLATIONS", 2)
    cancelled = [desk.create_public(startDate=START) for _ in range(3)]
    again = [desk.create_public(startDate=START)["id"] for _ in range(2)]
    for event in cancelled:
        desk.delete(event["id"])
        clock.shift(minutes=1)

    desk.bulk("unpublish", again)
    desk.bulk("publish", again)

    assert [is_cancelled(app, event) for event in cancelled] == [False, True, True]


@pytest.mark.usefixtures("clock")
def test_a_staged_edit_cancels_nothing(app: Client, desk: Desk) -> None:
    event = desk.create_public(startDate=START)
    desk.edit(event["id"], title="Staged")
    desk.request(event["id"])
    desk.as_role("admin").reject(event["id"])

    assert not is_cancelled(app, event)


def test_a_cancellation_is_deleted_after_ninety_days(
    clock: Clock, app: Client, desk: Desk, work: Callable[[], None]
) -> None:
    event = desk.create_public(startDate=START)
    desk.edit(event["id"], published=False)

    clock.shift(days=90)
    work()
    assert is_cancelled(app, event)
    clock.shift(days=1, milliseconds=1)
    work()

    assert entries(app) == {}
