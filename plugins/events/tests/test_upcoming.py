"""``upcoming=true`` lists the events that start now or later, and combines with other filters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from click.testing import Result

from masthead.testing import Client, Clock, Desk

NOW = "2026-03-01T09:30:00.000Z"
BEFORE = "2026-03-01T09:29:59.999Z"
LATER = "2026-03-01T10:00:00.000Z"


def titles(items: list[dict[str, Any]]) -> list[str]:
    return [item["title"] for item in items]


def test_an_event_is_upcoming_until_the_moment_after_its_start(clock: Clock, desk: Desk) -> None:
    for title, start in (("Past", BEFORE), ("Now", NOW), ("Later", LATER)):
        desk.create_public(title=title, startDate=start)

    assert titles(desk.public_list()) == ["Past", "Now", "Later"]
    assert titles(desk.public_list(upcoming="true")) == ["Now", "Later"]
    clock.shift(milliseconds=1)
    assert titles(desk.public_list(upcoming="true")) == ["Later"]
    clock.move_to(LATER)
    assert titles(desk.public_list(upcoming="true")) == ["Later"]
    clock.shift(milliseconds=1)
    assert titles(desk.public_list(upcoming="true")) == []
    assert titles(desk.public_list()) == ["Past", "Now", "Later"]


def test_a_clock_that_is_set_back_makes_events_upcoming_again(clock: Clock, desk: Desk) -> None:
    desk.create_public(startDate=NOW)
    clock.shift(seconds=1)
    assert desk.public_list(upcoming="true") == []

    clock.move_to(BEFORE)

    assert len(desk.public_list(upcoming="true")) == 1


def test_the_entity_tag_changes_when_an_event_starts_and_not_before(
    clock: Clock, app: Client, desk: Desk
) -> None:
    desk.create_public(startDate=LATER)
    path = "/api/events?upcoming=true"
    etag = app.get(path).headers["ETag"]

    clock.move_to(LATER)
    app.get(path, headers={"If-None-Match": etag}, status=304)
    clock.shift(milliseconds=1)

    assert app.get(path, headers={"If-None-Match": etag}).json == []


@pytest.mark.usefixtures("clock")
def test_the_ends_of_time_can_be_read(app: Client, desk: Desk) -> None:
    desk.create_public(title="First", startDate="0001-01-01")
    desk.create_public(title="Last", startDate="9999-12-31T23:59:59.999Z")

    assert titles(desk.public_list(upcoming="true")) == ["Last"]
    assert titles(desk.public_list()) == ["First", "Last"]
    assert app.get("/api/events").headers["ETag"]


@pytest.mark.slow
@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize("way", ["none", "tag", "search", "both"])
def test_upcoming_combines_with_tag_search_and_paging(
    way: str, app: Client, desk: Desk, make_tag: Callable[[str], Any]
) -> None:
    tag = make_tag("Water")["id"]
    for number in range(1, 5):
        for title, tags in (("Rowing", [tag]), ("Walking", [])):
            start = f"2026-03-0{number}T00:00:00.000Z"
            desk.create_public(title=f"{title} {number}", startDate=start, tagIds=tags)
    query = {
        "none": {},
        "tag": {"tag": "water"},
        "search": {"search": "rowing"},
        "both": {"tag": "water", "search": "row"},
    }[way]
    wanted = [f"Rowing {number}" for number in (2, 3, 4)]
    if way == "none":
        wanted = [f"{title} {number}" for number in (2, 3, 4) for title in ("Rowing", "Walking")]

    for value in ("true", "1", "TRUE"):
        answer = app.get("/api/events", {**query, "upcoming": value})
        assert titles(answer.json) == wanted
        assert answer.headers["X-Total-Count"] == str(len(wanted))
    page = app.get("/api/events", {**query, "upcoming": "true", "limit": 1, "offset": 1})
    assert titles(page.json) == wanted[1:2]
    assert page.headers["X-Total-Count"] == str(len(wanted))
    assert "upcoming=true" in page.headers["Link"]
    for value in ("false", "0"):
        all_of_them = app.get("/api/events", {**query, "upcoming": value})
        assert all_of_them.json == app.get("/api/events", query).json
        assert len(all_of_them.json) == len(wanted) * 4 // 3


@pytest.mark.parametrize("value", ["maybe", "2", "yes", "null", "1.0"])
def test_a_value_other_than_true_or_false_is_refused(value: str, app: Client) -> None:
    error = app.get("/api/events", {"upcoming": value}, status=400).json["error"]

    assert error.startswith("upcoming: ")


@pytest.mark.usefixtures("clock")
def test_totals_exclude_scheduled_unpublished_and_unapproved_events(
    app: Client, desk: Desk, make_tag: Callable[[str], Any]
) -> None:
    values = {"startDate": LATER, "tagIds": [make_tag("Water")["id"]]}
    shown = desk.create_public(**values)
    desk.create(**values)
    desk.create_public(**values, scheduledPublishAt=LATER)
    desk.edit(desk.create_public(**values)["id"], published=False)

    for query in ({}, {"tag": "water"}, {"search": "title"}, {"tag": "water", "search": "title"}):
        for upcoming in ("true", "false"):
            answer = app.get("/api/events", {**query, "upcoming": upcoming})
            assert [item["id"] for item in answer.json] == [shown["id"]]
            assert answer.headers["X-Total-Count"] == "1"


@pytest.mark.slow
@pytest.mark.usefixtures("clock")
def test_a_word_that_most_events_have_is_found_among_the_upcoming(
    app: Client, import_events: Callable[[str], Result]
) -> None:
    lines = (
        f'{{"title": "Meeting", "startDate": "2026-03-{day}"}}\n' for day in ["01", "02"] * 2_100
    )
    assert import_events("".join(lines)).exit_code == 0

    answer = app.get("/api/events", {"search": "meeting", "upcoming": "true", "limit": 2})

    assert answer.headers["X-Total-Count"] == "2100"
    assert [item["startDate"] for item in answer.json] == ["2026-03-02T00:00:00.000Z"] * 2


@pytest.mark.usefixtures("clock")
def test_a_staged_start_counts_from_its_approval(desk: Desk) -> None:
    event = desk.create_public(startDate=BEFORE)
    desk.edit(event["id"], startDate=LATER)
    assert desk.public_list(upcoming="true") == []

    desk.publish(event["id"])

    assert len(desk.public_list(upcoming="true")) == 1
