"""The schedule: changes that happen by themselves, by time, in the organisation's time zone."""

from __future__ import annotations

from typing import Any

import pytest

from masthead.testing import Client, Clock, Desk

PATH = "/api/staff/schedule"


@pytest.fixture
def admin(clock: Clock, app: Client) -> Client:
    """Return an administrator of an organisation in Berlin, on the first of March."""
    client = app.as_role("admin")
    client.put_json("/api/staff/site", {"timeZone": "Europe/Berlin"})
    assert clock.now().isoformat() < "2026-03-02"
    return client


def entries(client: Client, **query: Any) -> list[Any]:
    shown = client.get(PATH, query).json
    return [
        (each["localTime"], each["change"], each["contentType"], each["title"], each["happens"])
        for each in shown
    ]


def newsletter(admin: Client, title: str, time: str) -> Any:
    values = {"title": title, "subject": title, "html_content": "<p>Text</p>"}
    values |= {"scheduled_send_at": time}
    return admin.post_json("/api/staff/newsletters", values).json["id"]


def test_it_lists_all_that_happens_and_what_does_not_yet(admin: Client) -> None:
    news, events = Desk(admin, "news"), Desk(admin, "events")
    up, down = "2026-03-28T08:00:00Z", "2026-03-29T08:00:00Z"
    news.create_public(title="Sale", scheduledPublishAt=up, scheduledUnpublishAt=down)
    events.create(title="Draft", startDate="2026-05-01", scheduledPublishAt=up)
    edited = news.create_public(title="Live", scheduledUnpublishAt="2026-04-02T08:00:00Z")
    edits = {"title": "Edited", "scheduledPublishAt": "2026-04-01T08:00:00Z", "stage": True}
    news.edit(edited["id"], **edits, scheduledUnpublishAt="2026-04-03T08:00:00Z")
    letter = newsletter(admin, "Letter", "2026-03-30T08:00:00Z")

    before = [
        ("2026-03-28T09:00:00.000+01:00", "published", "events", "Draft", False),
        ("2026-03-28T09:00:00.000+01:00", "published", "news", "Sale", True),
        ("2026-03-29T10:00:00.000+02:00", "withdrawn", "news", "Sale", True),
        ("2026-03-30T10:00:00.000+02:00", "sent", "newsletters", "Letter", False),
        ("2026-04-01T10:00:00.000+02:00", "edited", "news", "Edited", False),
        ("2026-04-02T10:00:00.000+02:00", "withdrawn", "news", "Edited", True),
        ("2026-04-03T10:00:00.000+02:00", "withdrawn", "news", "Edited", False),
    ]
    assert entries(admin) == before

    news.publish(edited["id"])
    moves = {"contentType": "newsletters", "contentId": letter}
    for move in ("request", "approve"):
        admin.post_json(f"/api/staff/approval/{move}", moves)
    time = {"scheduled_send_at": "2026-03-30T08:00:00Z"}
    admin.post_json(f"/api/staff/newsletters/{letter}/schedule", time)

    happens = [each[-1] for each in entries(admin)]
    assert happens == [False, True, True, True, True, False, True]
    [first, *_] = admin.get(PATH, {"types": "news"}).json
    assert first["at"] == "2026-03-28T08:00:00.000Z"
    assert (first["timeZone"], first["label"]) == ("Europe/Berlin", "News Article")
    answer = admin.get(PATH, {"limit": 2, "offset": 1})
    assert [each["title"] for each in answer.json] == ["Sale", "Sale"]
    assert answer.headers["X-Total-Count"] == "7"


def test_days_are_those_of_the_organisation_also_when_clocks_change(admin: Client) -> None:
    news = Desk(admin, "news")
    # The day of the change begins at 23:00 UTC, lasts 23 hours, and ends at 22:00 UTC.
    for title, time in (
        ("Before", "2026-03-28T22:59:59.999Z"),
        ("First", "2026-03-28T23:00:00.000Z"),
        ("Last", "2026-03-29T21:59:59.999Z"),
        ("After", "2026-03-29T22:00:00.000Z"),
    ):
        news.create_public(title=title, scheduledPublishAt=time)

    day = entries(admin, **{"from": "2026-03-29", "to": "2026-03-29"})

    assert [(local, title) for local, _, _, title, _ in day] == [
        ("2026-03-29T00:00:00.000+01:00", "First"),
        ("2026-03-29T23:59:59.999+02:00", "Last"),
    ]
    exact = {"from": "2026-03-28T23:00:00Z", "to": "2026-03-29T21:59:59.999Z"}
    assert [each[3] for each in entries(admin, **exact)] == ["First"]


def test_it_shows_only_the_types_that_the_caller_may_read(
    admin: Client, app: Client, make_role: Any, make_user: Any
) -> None:
    Desk(admin, "news").create(scheduledPublishAt="2026-04-01")
    newsletter(admin, "Letter", "2026-03-30T08:00:00Z")
    make_role("reader", "news.read")
    reader = app.as_user(make_user("ada", role="reader"))

    assert [each["contentType"] for each in reader.get(PATH).json] == ["news"]
    reader.get(PATH, {"types": "newsletters"}, status=403)
    app.get(PATH, status=401)


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"from": "2026-04-02", "to": "2026-04-01"}, "to"),
        ({"from": "soon"}, "from"),
        ({"to": "2026-02-30"}, "to"),
        ({"types": "people"}, "types"),
    ],
)
def test_a_wrong_query_is_refused(admin: Client, query: dict[str, str], field: str) -> None:
    answer = admin.get(PATH, query, status=400).json
    assert answer["fields"][0]["path"] == field


def test_the_ends_of_all_times_are_shown(admin: Client) -> None:
    news = Desk(admin, "news")
    last, first = "9999-12-31T23:59:59.999Z", "0001-01-01T00:00:00.000Z"
    news.create_public(title="Last", scheduledUnpublishAt=last)
    news.create_public(title="First", scheduledPublishAt=first)

    for query in ({"from": "0001-01-01"}, {"from": "0001-01-01", "to": "9999-12-31"}):
        found = admin.get(PATH, query).json
        assert [each["title"] for each in found if each["at"] == last] == ["Last"]
