"""Concerts fulfil the contract of content types, and refer to venues and people."""

from typing import Any

import pytest

from masthead.testing import Client, ContentTypeContract, Desk
from masthead_venues.plugin import CONCERTS

VENUES = "/api/staff/venues"
PEOPLE = "/api/staff/people"


class TestConcerts(ContentTypeContract):
    content_type = CONCERTS


@pytest.fixture
def admin(app: Client) -> Client:
    return app.as_role("admin")


@pytest.fixture
def concerts(app: Client) -> Desk:
    return Desk(app, "concerts").as_role("admin")


@pytest.fixture
def hall(admin: Client) -> Any:
    body = {"name": "Town hall", "city": "Leeds", "published": True}
    return admin.post_json(VENUES, body).json


def test_a_concert_embeds_its_venue(app: Client, concerts: Desk, hall: Any) -> None:
    values = {"startsAt": "2036-05-01T19:00:00.000Z", "venueId": hall["id"]}
    item = concerts.create_public(title="Spring", **values)

    [shown] = app.get("/api/concerts", {"embed": "venue", "venueId": hall["id"]}).json

    assert (shown["slug"], shown["venueId"]) == (item["slug"], hall["id"])
    assert (shown["venue"]["name"], shown["performerIds"]) == ("Town hall", [])
    assert app.get("/api/concerts", {"venueId": hall["id"] + 1}).json == []


def test_a_venue_of_concerts_is_kept(admin: Client, concerts: Desk, hall: Any) -> None:
    values = {"startsAt": "2036-05-01T19:00:00.000Z", "venueId": hall["id"]}
    item = concerts.create(title="Spring", **values)
    answer = concerts.create(title="Nowhere", **values | {"venueId": 99}, status=400)

    error = admin.delete(f"{VENUES}/{hall['id']}", status=400).json["error"]

    assert answer["error"] == "venueId: There is no item 99 of venues"
    assert error == f"Venue is used: concerts {item['id']} (Spring)"


def test_a_person_who_leaves_performs_no_more(
    admin: Client, app: Client, concerts: Desk, hall: Any
) -> None:
    if admin.get(PEOPLE, status="*").status_int == 404:
        pytest.skip("the plugin with people isn't installed")
    ids = [
        admin.post_json(PEOPLE, {"name": name, "role": "Voice", "published": True}).json["id"]
        for name in ("Ada", "Ben")
    ]
    values = {"startsAt": "2036-05-01T19:00:00.000Z", "venueId": hall["id"]}
    concerts.create_public(title="Spring", performerIds=ids[::-1], **values)

    def names() -> list[str]:
        [shown] = app.get("/api/concerts", {"embed": "performers"}).json
        return [each["name"] for each in shown["performers"]]

    assert names() == ["Ben", "Ada"]
    admin.delete(f"{PEOPLE}/{ids[1]}")
    assert names() == ["Ada"]
