"""People: edited by staff, public once they are published."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from masthead import Instance
from masthead.resources.jsonl import import_lines
from masthead.resources.jsonl_import import resource_importer
from masthead.testing import Client, Clock
from masthead_people.plugin import PEOPLE

STAFF = "/api/staff/people"
PUBLIC = "/api/people"
MakePerson = Callable[..., Any]


def names(client: Client, path: str, **query: Any) -> list[str]:
    return [person["name"] for person in client.get(path, query).json]


def test_a_person_needs_name_and_role_and_is_unpublished_by_default(
    staff: Client, make_person: MakePerson
) -> None:
    person = make_person()

    assert {k: v for k, v in person.items() if not k.endswith("At")} == {
        "id": person["id"],
        "name": "Ada",
        "role": "Treasurer",
        "imageUrl": None,
        "briefMessage": None,
        "displayOrder": 0,
        "published": False,
        "lang": None,
        "dir": None,
    }
    assert staff.get(PUBLIC).json == []
    assert staff.get(STAFF).json == [person]
    for missing in ("name", "role"):
        body = {"name": "Ada", "role": "Chair"}
        del body[missing]
        assert missing in staff.post_json(STAFF, body, status=400).json["error"]


def test_the_search_over_all_types_finds_published_people(
    app: Client, make_person: MakePerson
) -> None:
    make_person("נועה", role="River guide", published=True, lang="he", briefMessage="<b> & water")
    make_person("River Song")
    person = make_person("River Phoenix", published=True)

    first, second = app.get("/api/search?q=river").json["items"]

    assert (first["title"], first["rank"], first["slug"]) == ("River Phoenix", 1, None)
    assert first["id"] == person["id"]
    assert first["url"].endswith("/people")
    assert (second["title"], second["rank"], second["lang"], second["dir"]) == (
        "נועה", 0.5, "he", "rtl",
    )  # fmt: skip
    assert second["snippet"] == "<mark>River</mark> guide &lt;b&gt; &amp; water"
    assert app.get("/api/search?q=river&tag=water").json["items"] == []
    assert app.get("/api/search?q=guide").json["types"] == [{"type": "people", "count": 1}]


def test_staff_sort_people_and_ask_for_changes(
    clock: Clock, staff: Client, make_person: MakePerson
) -> None:
    make_person("Ada", displayOrder=1)
    clock.move_to("2026-03-01T12:10:00Z")
    make_person("Grace", displayOrder=2)

    assert names(staff, STAFF) == names(staff, STAFF, sort="createdAt") == ["Ada", "Grace"]
    assert names(staff, STAFF, sort="-displayOrder") == ["Grace", "Ada"]
    assert names(staff, STAFF, sort="-updatedAt", limit=1) == ["Grace"]
    since = "2026-03-01T12:05:00Z"
    assert names(staff, STAFF, updatedSince=since) == ["Grace"]
    assert names(staff, STAFF, updatedSince=since, sort="createdAt", search="ada") == []
    assert staff.get(f"{STAFF}?sort=role", status=400).json["error"].startswith("sort: ")


def test_staff_see_all_whatever_a_query_asks_for(staff: Client, make_person: MakePerson) -> None:
    make_person()
    make_person("Grace", published=True)

    for asked in ("true", "false", "yes", ""):
        assert names(staff, STAFF, published=asked) == ["Ada", "Grace"]


def test_the_public_sees_published_people_without_the_fields_of_staff(
    app: Client, make_person: MakePerson
) -> None:
    make_person("Grace")
    ada = make_person(published=True, imageUrl="/api/images/images/ada.png", briefMessage="Hello")

    assert app.get(PUBLIC).json == [
        {
            "id": ada["id"],
            "name": "Ada",
            "role": "Treasurer",
            "imageUrl": "/api/images/images/ada.png",
            "image": None,
            "briefMessage": "Hello",
            "displayOrder": 0,
            "lang": None,
            "dir": None,
            "updatedAt": ada["updatedAt"],
        }
    ]


def test_a_person_who_is_unpublished_disappears_at_once(
    app: Client, staff: Client, make_person: MakePerson
) -> None:
    ada = make_person(published=True)
    before = app.get(PUBLIC)

    staff.put_json(f"{STAFF}/{ada['id']}", {"published": False})

    after = app.get(PUBLIC, headers={"If-None-Match": before.headers["ETag"]})
    assert (after.status_int, after.json) == (200, [])
    assert after.headers["X-Total-Count"] == "0"


@pytest.mark.slow
@given(orders=st.lists(st.integers(-5, 5), min_size=1, max_size=8))
@settings(max_examples=15)
def test_people_are_ordered_by_display_order_and_then_by_id(
    app: Client, staff: Client, make_person: MakePerson, orders: list[int]
) -> None:
    for person in staff.get(STAFF).json:
        staff.delete(f"{STAFF}/{person['id']}")
    made = [make_person(str(n), displayOrder=o, published=True) for n, o in enumerate(orders)]

    expected = [p["name"] for p in sorted(made, key=lambda p: (p["displayOrder"], p["id"]))]

    assert names(app, PUBLIC) == names(staff, STAFF) == expected
    paged = [n for at in range(len(orders)) for n in names(app, PUBLIC, limit=1, offset=at)]
    assert paged == expected


def test_reading_and_writing_take_their_permissions(
    app: Client, make_role: Callable[..., Any], make_person: MakePerson
) -> None:
    person = make_person()
    make_role("reader", "people.read")
    reader = app.as_role("reader")

    assert reader.get(f"{STAFF}/{person['id']}").json == person
    reader.put_json(f"{STAFF}/{person['id']}", {"role": "Chair"}, status=403)
    app.get(STAFF, status=401)


@pytest.mark.parametrize(
    ("value", "named"),
    [
        ({"name": "x" * 201}, "name"),
        ({"role": ["Chair"]}, "role"),
        ({"imageUrl": "javascript:alert(1)"}, "imageUrl"),
        ({"briefMessage": "x" * 2001}, "briefMessage"),
        ({"displayOrder": "1"}, "displayOrder"),
        ({"displayOrder": True}, "displayOrder"),
        ({"displayOrder": 2**63}, "displayOrder"),
        ({"published": "yes"}, "published"),
        ({"name": "a\0b"}, "name"),
    ],
)
def test_a_wrong_value_is_named_and_nothing_saved(
    staff: Client, make_person: MakePerson, value: dict[str, Any], named: str
) -> None:
    person = make_person()
    path = f"{STAFF}/{person['id']}"

    refused = staff.put_json(path, {"role": "Chair", **value}, status=400)

    assert refused.json["error"].startswith(f"{named}: ")
    assert staff.get(path).json == person


def test_an_import_names_the_line_that_is_too_long_and_stores_the_others(
    instance: Instance, app: Client
) -> None:
    lines = Path(__file__).with_name("people.jsonl").read_bytes().splitlines()

    done = list(import_lines(instance, resource_importer(PEOPLE), lines, publish=True, actor=None))

    assert [line.error for line in done] == [None, None, None, "name: At most 200 characters"]
    shown = [p for p in map(json.loads, lines) if p["published"] and len(p["name"]) <= 200]
    assert names(app, PUBLIC) == [person["name"] for person in shown]
