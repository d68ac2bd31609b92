"""The resource of subscribers for staff, and the data of a person."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from masthead import forget_person, person_data
from masthead.testing import Client, Clock, Database

STAFF = "/api/staff/newsletter-subscribers"
Subscribe = Callable[..., None]


def addresses(staff: Client, **query: Any) -> list[str]:
    return [each["email"] for each in staff.get(STAFF, query).json]


def test_staff_add_a_subscriber(staff: Client) -> None:
    made = staff.post_json(STAFF, {"email": "Ada@example.org", "name": "Ada"})

    assert made.json["email"] == "ada@example.org"
    assert made.json["status"] == "subscribed"
    assert made.headers["ETag"] == staff.get(f"{STAFF}/{made.json['id']}").headers["ETag"]
    assert staff.get(STAFF).json == [made.json]


def test_an_existing_subscriber_is_returned_unchanged(app: Client, staff: Client) -> None:
    app.post_json("/api/newsletter/subscribe", {"email": "ada@example.org", "name": "Ada"})
    app.post_json("/api/newsletter/unsubscribe", {"email": "ada@example.org"})
    [before] = staff.get(STAFF).json

    again = staff.post_json(STAFF, {"email": "ADA@example.org", "name": "Other"}).json

    assert again == before
    assert again["status"] == "unsubscribed"


@pytest.mark.parametrize("body", [{}, {"email": ""}, {"email": "ada"}, {"email": 1, "name": "x"}])
def test_an_address_is_required(staff: Client, body: Any) -> None:
    assert "email" in staff.post_json(STAFF, body, status=400).json["error"]
    assert staff.get(STAFF).json == []


def test_a_put_of_the_status_unsubscribes_and_subscribes_again(staff: Client) -> None:
    path = f"{STAFF}/{staff.post_json(STAFF, {'email': 'ada@example.org'}).json['id']}"

    gone = staff.put_json(path, {"status": "unsubscribed"}).json
    back = staff.put_json(path, {"status": "subscribed", "name": "Ada"}).json

    assert gone["status"] == "unsubscribed"
    assert gone["unsubscribedAt"]
    assert (back["status"], back["unsubscribedAt"], back["name"]) == ("subscribed", None, "Ada")


def test_a_blank_status_is_refused(staff: Client) -> None:
    path = f"{STAFF}/{staff.post_json(STAFF, {'email': 'mail@example.com'}).json['id']}"
    gone = staff.put_json(path, {"status": "unsubscribed"}).json

    for status in (None, ""):
        staff.put_json(path, {"status": status}, status=400)

    assert staff.get(path).json == gone


@pytest.mark.parametrize("body", [{"status": "gone"}, {"status": 1}, {"name": "n" * 201}])
def test_a_put_of_an_invalid_field_is_refused(staff: Client, body: Any) -> None:
    made = staff.post_json(STAFF, {"email": "ada@example.org"}).json

    staff.put_json(f"{STAFF}/{made['id']}", body, status=400)

    assert staff.get(f"{STAFF}/{made['id']}").json == made


def test_a_put_changes_neither_address_nor_source(staff: Client) -> None:
    made = staff.post_json(STAFF, {"email": "ada@example.org"}).json

    kept = staff.put_json(f"{STAFF}/{made['id']}", {"email": "eve@example.org", "source": "x"})

    assert kept.json == made


def test_a_stale_put_changes_nothing(staff: Client) -> None:
    made = staff.post_json(STAFF, {"email": "ada@example.org"})
    path = f"{STAFF}/{made.json['id']}"
    staff.put_json(path, {"name": "Ada"})

    staff.put_json(path, {"name": "Eve"}, headers={"If-Match": made.headers["ETag"]}, status=412)
    staff.put_json(path, {"name": "Eve", "etag": made.headers["ETag"]}, status=400)

    assert staff.get(path).json["name"] == "Ada"


def test_the_list_is_newest_first_and_can_be_filtered_and_searched(
    clock: Clock, staff: Client, subscribe: Subscribe
) -> None:
    for address in ("ada@example.org", "zoe@example.net", "eve@example.org"):
        subscribe(address)
        clock.shift(seconds=1)
    staff.post_json(STAFF, {"email": "mail@example.com", "name": "Zoë Ångström"})
    [zoe] = staff.get(STAFF, {"search": "zoe example net"}).json
    staff.put_json(f"{STAFF}/{zoe['id']}", {"status": "unsubscribed"})

    assert addresses(staff) == [
        "mail@example.com",
        "eve@example.org",
        "zoe@example.net",
        "ada@example.org",
    ]
    assert addresses(staff, status="unsubscribed") == ["zoe@example.net"]
    assert addresses(staff, search="zoe") == ["mail@example.com", "zoe@example.net"]
    assert addresses(staff, search="zoe", status="subscribed") == ["mail@example.com"]
    assert addresses(staff, search="angst") == ["mail@example.com"]
    assert addresses(staff, limit=1, offset=1) == ["eve@example.org"]
    staff.get(STAFF, {"status": "gone"}, status=400)


def test_a_delete_is_permanent(staff: Client) -> None:
    made = staff.post_json(STAFF, {"email": "ada@example.org"}).json

    staff.delete(f"{STAFF}/{made['id']}")

    staff.get(f"{STAFF}/{made['id']}", status=404)
    staff.delete(f"{STAFF}/{made['id']}", status=404)
    staff.put_json(f"{STAFF}/{made['id']}", {"name": "x"}, status=404)
    assert addresses(staff, search="ada") == []


def test_the_data_of_a_person_is_shown_and_erased(
    database: Database, staff: Client, subscribe: Subscribe
) -> None:
    subscribe("ada@example.org", "eve@example.org")

    with database.transaction() as session:
        data = person_data(session, ["ada@example.org"], None).data
        forget_person(session, "ada@example.org")
        forget_person(session, "nobody@example.org")

    assert list(data) == ["newsletter-subscribers"]
    [item] = data["newsletter-subscribers"]
    assert item["email"] == "ada@example.org"
    assert {"subscribedAt", "subscribedIp", "confirmedAt", "confirmedIp"} <= item.keys()
    assert {"unsubscribedAt", "unsubscribeKind", "unsubscribeReason"} <= item.keys()
    assert addresses(staff) == ["eve@example.org"]
    assert addresses(staff, search="ada") == []
