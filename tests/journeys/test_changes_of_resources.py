"""The change log and webhooks: changes of resources with public endpoints."""

from __future__ import annotations

import json
from typing import Any

import pytest

from masthead import Instance, public_kinds
from masthead.content.contenttype import ContentType
from masthead.testing import Client

PATH, STAFF = "/api/changes", "/api/staff/changes"
BODIES = {"pages": {"title": "Imprint"}, "people": {"name": "Ada", "role": "Chair"}}
"""A body that creates a hidden item, for each resource with public endpoints of the kit."""
LETTER = {"title": "May", "subject": "May", "html_content": "<p>Hello</p>", "public": True}
"""A newsletter, which the public sees by endpoints of its plugin once it is sent."""


def read(client: Client, path: str, cursor: str) -> list[Any]:
    """Return the changes after a cursor."""
    found: list[Any] = client.get(path, {"since": cursor}).json["changes"]
    return found


def test_each_public_resource_has_a_body(instance: Instance) -> None:
    resources = [it.name for it in public_kinds(instance) if not isinstance(it, ContentType)]
    assert {*BODIES, "newsletters"} == set(resources)


@pytest.mark.parametrize("name", BODIES)
def test_the_public_learns_what_it_sees(app: Client, name: str) -> None:
    staff, address = app.as_role("admin"), f"/api/staff/{name}"
    cursor = app.get(PATH).json["cursor"]
    since = staff.get(STAFF).json["cursor"]
    item = staff.post_json(address, BODIES[name]).json["id"]
    assert app.get(PATH, {"since": cursor}).json["cursor"] == cursor

    staff.put_json(f"{address}/{item}", {"published": True})
    staff.put_json(f"{address}/{item}", {"lang": "de"})
    staff.put_json(f"{address}/{item}", {"published": False})
    staff.put_json(f"{address}/{item}", {"published": True})
    staff.delete(f"{address}/{item}")

    changes = read(app, PATH, cursor)
    expected = ["published", "changed", "withdrawn", "published", "withdrawn"]
    assert [each["change"] for each in changes] == expected
    assert {(each["contentType"], each["id"]) for each in changes} == {(name, item)}
    seen = [(each["change"], each["publicChange"]) for each in read(staff, STAFF, since)]
    assert seen == [
        ("created", None),
        *(("changed", change) for change in expected[:-1]),
        ("deleted", "withdrawn"),
    ]
    cursor = app.get(PATH).json["cursor"]
    [trashed] = staff.get("/api/staff/trash", {"contentType": name}).json
    staff.post(f"/api/staff/trash/{trashed['id']}/restore")
    assert read(app, PATH, cursor) == []


def test_a_page_that_moves_names_both_slugs(app: Client) -> None:
    staff = app.as_role("admin")
    body = {"title": "Imprint", "published": True}
    page = staff.post_json("/api/staff/pages", body).json["id"]
    cursor = app.get(PATH).json["cursor"]

    staff.put_json(f"/api/staff/pages/{page}", {"slug": "legal"})

    [moved] = read(app, PATH, cursor)
    found = moved["change"], moved["contentType"], moved["slug"], moved["formerSlug"]
    assert found == ("moved", "pages", "legal", "imprint")
    assert app.get(PATH, {"since": cursor, "types": "people"}).json["changes"] == []


def test_a_webhook_is_called_for_newsletters_of_the_archive(app: Client) -> None:
    staff, address = app.as_role("admin"), "/api/staff/newsletters"
    hook = {"name": "Site", "url": "https://example.org/", "events": ["content.*"]}
    body = {**hook, "contentTypes": ["newsletters"]}
    made = staff.post_json("/api/staff/webhooks", body).json["id"]
    numbers = []
    for public in (False, True):
        number = staff.post_json(address, {**LETTER, "public": public}).json["id"]
        item = {"contentType": "newsletters", "contentId": number}
        staff.post_json("/api/staff/approval/request", item)
        staff.post_json("/api/staff/approval/approve", item)
        staff.post_json(f"{address}/{number}/send", {})
        staff.post_json(f"{address}/{number}/withdraw", {})
        numbers.append(number)

    deliveries = staff.get(f"/api/staff/webhooks/{made}/deliveries").json

    told = [json.loads(each["payload"])["data"] for each in reversed(deliveries)]
    assert told == [
        {"contentType": "newsletters", "id": numbers[1], "slug": None, "change": change}
        for change in ("published", "withdrawn")
    ]


def test_a_webhook_is_called_for_pages(app: Client) -> None:
    staff = app.as_role("admin")
    hook = {"name": "Site", "url": "https://example.org/", "events": ["content.*"]}
    made = staff.post_json("/api/staff/webhooks", {**hook, "contentTypes": ["pages"]}).json["id"]
    staff.post_json("/api/staff/people", {**BODIES["people"], "published": True})
    page = staff.post_json("/api/staff/pages", {**BODIES["pages"], "published": True}).json["id"]

    deliveries = staff.get(f"/api/staff/webhooks/{made}/deliveries").json

    assert [each["event"] for each in deliveries] == ["content.published"]
    assert json.loads(deliveries[0]["payload"])["data"]["id"] == page
    body = {**hook, "contentTypes": ["contacts"]}
    staff.post_json("/api/staff/webhooks", body, status=400)
