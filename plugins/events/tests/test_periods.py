"""Past, current and upcoming events, and those between two times, judged by their ends."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import pytest

from masthead.testing import Client, Clock, Desk

SPANS: list[tuple[str, str | None]] = [
    ("2026-03-02T00:00:00.000Z", None),
    ("2026-03-02T00:00:00.000Z", "2026-03-02T00:00:00.000Z"),
    ("2026-03-02T00:00:00.000Z", "2026-03-04T00:00:00.000Z"),
    ("2026-03-02T00:00:00.000Z", "2026-03-03T18:00:00.000Z"),
    ("2026-03-02T10:00:00.000Z", None),
    ("2026-03-02T10:00:00.000Z", "2026-03-02T12:00:00.000Z"),
    ("2026-03-01T20:00:00.000Z", "2026-03-03T00:00:00.000Z"),
    ("2026-03-06T10:00:00.000Z", "2026-03-06T12:00:00.000Z"),
]
TIMES = sorted(
    {
        (datetime.fromisoformat(each) + timedelta(days=days, milliseconds=shift)).isoformat()
        for span in SPANS
        for each in span
        if each
        for days in (0, 1)
        for shift in (-1, 0, 1)
    }
)
STATES = ("upcoming", "current", "past")


@pytest.fixture(params=["true", pytest.param("false", marks=pytest.mark.slow)])
def whole_days(request: pytest.FixtureRequest) -> bool:
    return bool(request.param == "true")


@pytest.fixture
def settings(whole_days: bool) -> Mapping[str, str]:
    return {"masthead.events.whole_days": str(whole_days).lower()}


def is_all_day(start: str, end: str | None, whole_days: bool) -> bool:
    return whole_days and all("T00:00:00" in each for each in (start, end or start))


def last(start: str, end: str | None, whole_days: bool) -> datetime:
    days = timedelta(days=is_all_day(start, end, whole_days))
    return datetime.fromisoformat(end or start) + days


def state(start: str, end: str | None, now: datetime, whole_days: bool) -> str:
    if datetime.fromisoformat(start) > now:
        return "upcoming"
    return "current" if last(start, end, whole_days) > now else "past"


def shown(answer: Any) -> list[tuple[str, str | None]]:
    return [(item["startDate"], item["endDate"]) for item in answer.json]


def test_each_event_is_in_one_state_at_any_time(
    clock: Clock, app: Client, desk: Desk, whole_days: bool
) -> None:
    for start, end in SPANS:
        desk.create_public(startDate=start, endDate=end)
    listed = app.get("/api/events").json
    assert [item["allDay"] for item in listed] == [
        is_all_day(item["startDate"], item["endDate"], whole_days) for item in listed
    ]

    # Nothing is written, so an answer from the cache has to expire by itself.
    for moment in TIMES:
        clock.move_to(moment)
        now = datetime.fromisoformat(moment)
        for wanted in STATES:
            found = app.get(f"/api/events?when={wanted}")
            expected = [span for span in SPANS if state(*span, now, whole_days) == wanted]
            assert sorted(shown(found), key=str) == sorted(expected, key=str), (moment, wanted)
            assert found.headers["X-Total-Count"] == str(len(expected))
        both = app.get("/api/events?when=current,upcoming&fields=id").json
        assert len(both) == sum(state(*span, now, whole_days) != "past" for span in SPANS)


def test_past_events_are_listed_newest_first(clock: Clock, app: Client, desk: Desk) -> None:
    for start, end in SPANS:
        desk.create_public(startDate=start, endDate=end)
    clock.move_to("2026-04-01T00:00:00Z")

    past = [start for start, _ in shown(app.get("/api/events?when=past"))]
    sorted_up = [start for start, _ in shown(app.get("/api/events?when=past&sort=startDate"))]
    assert past == sorted(past, reverse=True)
    assert sorted_up == sorted(past)


@pytest.mark.parametrize(
    ("since", "until", "to"),
    [
        ("2026-03-02", "2026-03-03T00:00:00+00:00", "2026-03-02"),
        ("2026-03-03", "2026-03-07T00:00:00+00:00", "2026-03-06"),
        ("2026-03-02T12:00:00Z", "2026-03-06T10:00:00+00:00", "2026-03-06T10:00:00Z"),
        ("2026-03-05", "2026-03-06T10:00:00.001+00:00", "2026-03-06T10:00:00.001Z"),
    ],
)
def test_events_overlap_a_span(
    app: Client, desk: Desk, whole_days: bool, since: str, until: str, to: str
) -> None:
    for start, end in SPANS:
        desk.create_public(startDate=start, endDate=end)
    lower = datetime.fromisoformat(since.replace("Z", "+00:00"))
    lower = lower if lower.tzinfo else lower.replace(tzinfo=datetime.fromisoformat(until).tzinfo)

    found = shown(app.get(f"/api/events?from={since}&to={to}"))

    assert sorted(found, key=str) == sorted(
        (
            (start, end)
            for start, end in SPANS
            if datetime.fromisoformat(start) < datetime.fromisoformat(until)
            and (last(start, end, whole_days) > lower or datetime.fromisoformat(start) >= lower)
        ),
        key=str,
    )


def test_a_span_that_ends_before_it_starts_is_refused(app: Client) -> None:
    wrong = app.get("/api/events?from=2026-03-03&to=2026-03-02", status=400)

    assert wrong.json["error"] == "to: Must be after from"
    app.get("/api/events?from=0001-01-01&to=9999-12-31")
