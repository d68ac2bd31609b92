"""Staff read, annotate, reject, delete and accept proposals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead import forget_person, person_data
from masthead.audit.models import AuditEntry
from masthead.auth.models import Role
from masthead.testing import Client, Clock, Database, Desk

SUBMIT = "/api/ycs/submit-action"
STAFF = "/api/staff/action-proposals"
PROPOSAL = {
    "title": "A café for repairs",
    "description": "Once a month, in the library",
    "content": "<p>Bring <strong>what is broken</strong></p>",
    "imageUrls": ["/api/images/ycs-submissions/1-a.jpg", "https://example.org/b.png"],
    "contactName": "Ada",
    "contactEmail": "ada@example.org",
    "contactPhone": "+49 30 1234567",
}
LISTED = {
    "id",
    "title",
    "description",
    "imageUrls",
    "contactName",
    "contactEmail",
    "contactPhone",
    "status",
    "notes",
    "acceptedAt",
    "actionId",
    "createdAt",
    "updatedAt",
}
ROUNDS = 4
NO_ID = ("0", "-1", "x", "1.0", str(2**63), "01", "999")


@pytest.fixture
def staff(app: Client) -> Client:
    return app.as_role("editor")


@pytest.fixture
def propose(app: Client) -> Callable[..., int]:
    """Submit a proposal, and return its id."""
    return lambda **values: int(app.post_json(SUBMIT, {**PROPOSAL, **values}).json["id"])


def one(item_id: int | str) -> str:
    return f"{STAFF}/{item_id}"


def accept(client: Client, item_id: int | str, status: int = 200) -> Any:
    return client.post_json(f"{STAFF}/{item_id}/accept", {}, status=status).json


def entries(session: Session, *actions: str) -> Sequence[AuditEntry]:
    return session.scalars(select(AuditEntry).where(AuditEntry.action.in_(actions))).all()


# Reading


def test_the_newest_come_first_and_lists_leave_out_the_content(
    clock: Clock, staff: Client, propose: Callable[..., int]
) -> None:
    made = []
    for minutes in (0, 1, 0):
        clock.shift(minutes=minutes)
        made.append(propose())

    answer = staff.get(STAFF)

    assert [item["id"] for item in answer.json] == made[::-1]
    assert answer.json[0].keys() == LISTED
    assert staff.get(one(made[0])).json.keys() == LISTED | {"content"}
    pages = [staff.get(STAFF, {"limit": 2, "offset": n}) for n in (0, 2)]
    assert [item["id"] for page in pages for item in page.json] == made[::-1]
    assert [page.headers["X-Total-Count"] for page in pages] == ["3", "3"]


def test_a_list_can_be_filtered_by_status(staff: Client, propose: Callable[..., int]) -> None:
    new, reviewed, rejected, accepted = (propose() for _ in range(4))
    staff.put_json(one(reviewed), {"status": "reviewed"})
    staff.put_json(one(rejected), {"status": "rejected"})
    accept(staff, accepted)

    for status, wanted in (
        ("new", new),
        ("reviewed", reviewed),
        ("rejected", rejected),
        ("accepted", accepted),
    ):
        answer = staff.get(STAFF, {"status": status})
        assert [item["id"] for item in answer.json] == [wanted]
        assert answer.headers["X-Total-Count"] == "1"
    assert len(staff.get(STAFF, {"status": ""}).json) == 4
    for wrong in ("New", "open"):
        assert "status" in staff.get(STAFF, {"status": wrong}, status=400).json["error"]


# Changing


def test_staff_change_notes_and_status(
    clock: Clock, staff: Client, propose: Callable[..., int]
) -> None:
    item = propose()
    before = staff.get(one(item)).json
    clock.shift(minutes=1)

    changed = staff.put_json(one(item), {"status": "reviewed", "notes": " Ask Ben "}).json

    assert changed == before | {
        "status": "reviewed",
        "notes": "Ask Ben",
        "updatedAt": changed["updatedAt"],
    }
    assert changed["updatedAt"] > before["updatedAt"]
    clock.shift(minutes=1)
    assert staff.put_json(one(item), changed).json == staff.get(one(item)).json == changed
    assert staff.get(STAFF).json[0]["notes"] == "Ask Ben"
    assert staff.put_json(one(item), {"notes": None}).json["notes"] is None
    assert staff.put_json(one(item), {"status": "new"}).json["status"] == "new"


def test_staff_cannot_change_the_fields_of_the_visitor(
    staff: Client, propose: Callable[..., int]
) -> None:
    item = propose()
    before = staff.get(one(item)).json

    staff.put_json(one(item), {"title": "Mine", "contactEmail": "x@example.org", "actionId": 1})

    assert staff.get(one(item)).json == before


def test_an_invalid_change_is_refused(staff: Client, propose: Callable[..., int]) -> None:
    item = propose()
    before = staff.get(one(item)).json

    for body, field in (
        ({"status": "accepted", "notes": "Good"}, "status"),
        ({"status": "open", "notes": "Good"}, "status"),
        ({"status": 1}, "status"),
        ({"notes": 1}, "notes"),
        ({"notes": "x" * 2001}, "notes"),
        ({"notes": "a\x00"}, "notes"),
        ({"etag": "77", "notes": "Good"}, ""),
    ):
        assert field in staff.put_json(one(item), body, status=400).json["error"]
    stale = {"If-Match": '"77"'}
    assert staff.put_json(one(item), {"notes": "Good"}, headers=stale, status=412).json["error"]

    assert staff.get(one(item)).json == before


def test_a_proposal_that_is_not_there_is_not_found(staff: Client) -> None:
    for wrong in NO_ID:
        staff.get(one(wrong), status=404)
        staff.put_json(one(wrong), {"notes": "x"}, status=404)
        staff.delete(one(wrong), status=404)
        accept(staff, wrong, status=404)


def test_staff_have_no_endpoint_that_creates_proposals(staff: Client) -> None:
    assert staff.post_json(STAFF, PROPOSAL, status=404).json["error"]


def test_a_deleted_proposal_is_not_found_and_the_delete_is_logged(
    staff: Client, propose: Callable[..., int], session: Session
) -> None:
    item = propose()

    assert staff.delete(one(item)).json == {"success": True}

    staff.get(one(item), status=404)
    staff.delete(one(item), status=404)
    [entry] = entries(session, "content.delete")
    assert (entry.content_type, entry.content_id) == ("proposals", item)
    assert entry.actor_id is not None
    assert propose() > item


# Accepting


def test_accepting_makes_a_draft_action(
    staff: Client, desk: Desk, propose: Callable[..., int], session: Session
) -> None:
    item = propose()

    answer = accept(staff, item)

    assert answer.keys() == {"success", "id"}
    action = desk.show(answer["id"])
    assert (action["approvalStatus"], action["published"], action["slug"]) == ("draft", False, None)
    assert {k: action[k] for k in ("title", "description", "content")} == {
        k: PROPOSAL[k] for k in ("title", "description", "content")
    }
    assert action["coverImageUrl"] == PROPOSAL["imageUrls"][0]
    assert action["createdBy"]["username"] == "some-editor"
    assert [each["id"] for each in desk.list(search="broken")] == [answer["id"]]
    shown = staff.get(one(item)).json
    assert (shown["status"], shown["actionId"]) == ("accepted", answer["id"])
    assert shown["acceptedAt"] == shown["updatedAt"]
    [entry] = entries(session, "proposal.accept")
    assert (entry.content_type, entry.content_id) == ("proposals", item)
    assert entry.detail == {"title": PROPOSAL["title"], "actionId": answer["id"]}


def test_a_proposal_without_text_and_images_becomes_an_action_too(
    staff: Client, desk: Desk, propose: Callable[..., int]
) -> None:
    action = desk.show(accept(staff, propose(content=None, imageUrls=[]))["id"])

    assert (action["content"], action["coverImageUrl"]) == (None, None)


def test_accepting_twice_is_refused_and_creates_nothing(
    staff: Client, desk: Desk, propose: Callable[..., int]
) -> None:
    item = propose()
    action = accept(staff, item)["id"]

    assert accept(staff, item, status=400)["error"] == "The proposal has already been accepted"

    for status in ("new", "reviewed", "rejected", None):
        assert "status" in staff.put_json(one(item), {"status": status}, status=400).json["error"]
    assert (
        staff.put_json(one(item), {"status": "accepted", "notes": "Done"}).json["notes"] == "Done"
    )
    desk.delete(action)
    shown = staff.get(one(item)).json
    assert (shown["status"], shown["actionId"]) == ("accepted", None)
    accept(staff, item, status=400)
    assert desk.list() == []


def test_a_rejected_proposal_can_be_accepted(
    staff: Client, desk: Desk, propose: Callable[..., int]
) -> None:
    item = propose()
    staff.put_json(one(item), {"status": "rejected"})

    accept(staff, item)

    assert len(desk.list()) == 1


def test_the_action_outlives_its_proposal(
    staff: Client, desk: Desk, propose: Callable[..., int]
) -> None:
    item = propose()
    action = accept(staff, item)["id"]

    staff.delete(one(item))

    assert desk.publish(action)["slug"] == "a-cafe-for-repairs"


def test_of_two_concurrent_accepts_one_succeeds(
    app: Client, staff: Client, desk: Desk, propose: Callable[..., int]
) -> None:
    both = [app.as_role("admin"), staff]
    for turn in range(1, ROUNDS + 1):
        path = f"{STAFF}/{propose()}/accept"
        barrier = Barrier(len(both))

        def start(client: Client, path: str = path, barrier: Barrier = barrier) -> int:
            barrier.wait()
            return int(client.post_json(path, {}, status="*").status_int)

        with ThreadPoolExecutor(len(both)) as pool:
            statuses = list(pool.map(start, both))

        assert sorted(statuses) == [200, 400]
        assert len(desk.list()) == turn


# Permissions


def test_every_operation_needs_its_permission(
    app: Client, desk: Desk, propose: Callable[..., int], make_role: Callable[..., Role]
) -> None:
    item = propose()
    make_role("reader", "proposals.read", "actions.write")
    make_role("nobody", "actions.read", "actions.write")

    for client, status in ((app, 401), (app.as_role("nobody"), 403)):
        client.get(STAFF, status=status)
        client.get(one(item), status=status)
    for client, status in ((app, 401), (app.as_role("nobody"), 403), (app.as_role("reader"), 403)):
        client.put_json(one(item), {"notes": "x"}, status=status)
        client.delete(one(item), status=status)
        accept(client, item, status=status)

    assert app.as_role("reader").get(one(item)).json["status"] == "new"
    assert desk.list() == []


def test_accepting_needs_the_permission_to_create_actions_too(
    app: Client, desk: Desk, propose: Callable[..., int], make_role: Callable[..., Role]
) -> None:
    make_role("keeper", "proposals.read", "proposals.write", "actions.read")
    make_role("maker", "proposals.write", "actions.write")
    item = propose()

    accept(app.as_role("keeper"), item, status=403)
    accept(app.as_role("keeper"), 999, status=404)
    assert app.as_role("keeper").get(one(item)).json["status"] == "new"
    assert desk.list() == []

    accept(app.as_role("maker"), item)
    accept(app.as_role("keeper"), item, status=403)


def test_hook_person_data_and_forget_person_are_about_the_proposals_of_an_address(
    staff: Client, propose: Callable[..., int], database: Database
) -> None:
    accepted, waiting = propose(contactEmail="ADA@Example.org"), propose()
    other = propose(contactEmail="bob@example.org")
    action = staff.post(f"{STAFF}/{accepted}/accept").json

    with database.transaction() as session:
        held = person_data(session, ["ada@example.org"], None).data["proposals"]
        forget_person(session, "ada@example.org")
        assert person_data(session, ["ada@example.org"], None).data == {}

    assert [item["id"] for item in held] == [accepted, waiting]
    assert all(item["contactEmail"] == "ada@example.org" for item in held)
    assert [proposal["id"] for proposal in staff.get(STAFF).json] == [other]
    assert staff.get(f"/api/staff/actions/{action['id']}").json["title"] == PROPOSAL["title"]
