"""The list of pending items of all types, comments on approvals, and the users of an item."""

from __future__ import annotations

from typing import Any

from masthead.testing import Client, Clock, Desk

PENDING = "/api/staff/approval/pending"


def pending(client: Client, query: str = "") -> list[Any]:
    items: list[Any] = client.get(PENDING + query).json
    return items


def test_approvers_see_what_waits_in_all_types(clock: Clock, toys: Desk, memos: Desk) -> None:
    admin = toys.as_role("admin")
    toy = toys.create_public(title="Live")["id"]
    toys.edit(toy, title="Staged")
    toys.request(toy, comment="Shorter now")
    toys.create(title="A draft")
    clock.move_to("2026-03-02T08:00:00.000Z")
    memo = memos.create(title="Memo")["id"]
    memos.request(memo)
    user = toys.show(toy)["createdBy"]

    first, second = pending(admin.client)

    assert first == {
        "contentType": "toys",
        "label": "Toy",
        "id": toy,
        "title": "Staged",
        "requestedAt": first["requestedAt"],
        "requestedBy": user,
        "staged": True,
        "comment": "Shorter now",
        "etag": "2",
        "mayApprove": True,
        "approvals": 0,
        "required": 1,
        "reviewer": None,
        "deadline": None,
    }
    assert (second["contentType"], second["id"], second["comment"]) == ("memos", memo, None)
    assert second["staged"] is False
    assert pending(admin.client, "?contentType=memos") == [second]
    page = admin.client.get(f"{PENDING}?limit=1&offset=1")
    assert (page.json, page.headers["X-Total-Count"]) == ([second], "2")
    assert pending(toys.client) == []
    admin.approve(toy, etag=first["etag"])
    assert pending(admin.client) == [second]


def test_a_comment_stays_with_the_item_and_reaches_its_readers(toys: Desk) -> None:
    admin = toys.as_role("admin")
    item = toys.create(title="Toy")["id"]
    toys.request(item, comment="Please before Friday")
    assert toys.show(item)["approvalComment"] == "Please before Friday"
    [asked] = admin.client.get("/api/staff/notifications").json
    assert asked["message"].endswith('requests approval of "Toy": Please before Friday')

    admin.approve(item, comment="With pleasure")

    assert toys.show(item)["approvalComment"] == "With pleasure"
    [told] = toys.client.get("/api/staff/notifications").json
    assert told["message"].endswith(": With pleasure")
    log = admin.client.get("/api/staff/audit-log?contentType=toys").json
    comments = [entry["detail"].get("comment") for entry in log]
    assert comments == ["With pleasure", "Please before Friday"]
    toys.edit(item, title="Other")
    toys.request(item, comment="  ")
    assert toys.show(item)["approvalComment"] is None


def test_answers_name_the_users_of_an_item(app: Client, make_user: Any) -> None:
    ada = make_user(display_name="Ada")
    toys = Desk(app, "toys").as_user(ada)
    item = toys.publish(toys.create()["id"])

    named = {"id": ada.id, "username": ada.username, "displayName": "Ada"}
    assert item["createdBy"] == item["approvalRequestedByUser"] == named
    assert item["approvedByUser"]["id"] == item["approvedBy"]
    assert item["rejectedByUser"] is None
    assert toys.list()[0]["approvalRequestedByUser"] == named


def test_a_notification_names_its_item(toys: Desk) -> None:
    admin = toys.as_role("admin")
    item = toys.create(title="Toy")["id"]
    toys.request(item)
    toys.edit(item, title="Renamed")

    [told] = admin.client.get("/api/staff/notifications").json
    path = f"/api/staff/toys/{item}"
    assert told["item"] == {"contentType": "toys", "id": item, "title": "Renamed", "path": path}
    admin.delete(item)
    [told] = admin.client.get("/api/staff/notifications").json
    assert (told["item"], told["contentId"]) == (None, item)
