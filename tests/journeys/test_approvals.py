"""The approval of items of each type in a larger house: several approvers, four eyes, reminders."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from masthead import Instance, User
from masthead.auth.models import Role
from masthead.db import utc_text
from masthead.history.verifying import verify
from masthead.testing import Client, Clock, Desk
from masthead.worker.worker import Worker

BODIES = {
    "news": {"title": "First"},
    "events": {"title": "First", "startDate": "2036-01-01T00:00:00.000Z"},
    "actions": {"title": "First"},
    "newsletters": {"title": "First", "subject": "First", "html_content": "<p>One</p>"},
}
MakeUser = Callable[..., User]


@pytest.fixture
def settings() -> dict[str, str]:
    return {
        "masthead.approval.required": "2 boats=3",
        "masthead.approval.four_eyes": "true",
        "masthead.approval.remind_hours": "24 actions=0",
        "masthead.approval.escalate_hours": "48",
        "masthead.approval.escalate_to": "Board",
        "masthead.email.approval_mails": "none",
    }


@pytest.fixture(params=BODIES)
def desk(clock: Clock, app: Client, request: Any) -> Desk:  # noqa: ARG001 - stops the clock before
    return Desk(app, request.param).as_role("editor")


@pytest.fixture
def approvers(desk: Desk, make_user: MakeUser) -> list[Desk]:
    return [desk.as_user(make_user(name, role="admin")) for name in ("ann", "ben", "cai")]


def create(desk: Desk) -> int:
    made: int = desk.create(**BODIES[desk.content_type])["id"]
    return made


def status(desk: Desk, item_id: int) -> str:
    found: str = desk.show(item_id)["approvalStatus"]
    return found


def test_each_type_covers_itself(instance: Instance) -> None:
    assert set(BODIES) == set(instance.content_types)


def test_a_setting_that_names_an_unknown_type_is_reported(instance: Instance) -> None:
    [check] = [each for each in instance.all_checks if each.name == "approval.settings"]

    assert check.trouble(instance) == "masthead.approval.required: unknown content type boats"


def test_two_people_have_to_approve_the_last_text(desk: Desk, approvers: list[Desk]) -> None:
    ann, ben, cai = approvers
    item_id = create(desk)
    desk.request(item_id)
    assert ann.approve(item_id)["approvals"] == 1

    # Alone, no approver edits without approval.
    cai.edit(item_id, title="Second")
    assert status(desk, item_id) == "draft"
    desk.request(item_id)
    cai.approve(item_id, status=403)
    assert ann.approve(item_id)["approvals"] == 1
    assert ben.approve(item_id)["approvals"] == 2
    assert status(desk, item_id) == "approved"

    cai.edit(item_id, title="Third")
    assert status(desk, item_id) == "draft"


def test_an_approved_item_has_no_edit_that_waits(
    desk: Desk, approvers: list[Desk], instance: Instance
) -> None:
    item_id = create(desk)
    desk.request(item_id)
    for approver in approvers[:2]:
        approver.approve(item_id)

    detail = desk.client.get(f"/api/staff/approval/{desk.content_type}/{item_id}").json
    found = desk.client.get(f"/api/staff/{desk.content_type}/{item_id}/revisions").json

    assert (detail["staged"], detail["approvalStatus"]) == (False, "approved")
    assert [(each["copy"], bool(each["approvedAt"])) for each in found] == [("live", True)]
    proof = verify(instance, desk.content_type)
    assert (proof.checked, proof.unrecorded, proof.deviations) == (1, 0, [])


def test_four_eyes_hold_for_each_token_and_for_a_restore(
    desk: Desk, approvers: list[Desk], clock: Clock, make_user: MakeUser
) -> None:
    eve = make_user("eve", role="admin")
    editor, twin = desk.as_user(eve), desk.as_user(eve)
    item_id = create(desk)
    clock.shift(hours=1)
    desk.edit(item_id, title="Second")
    revisions = f"/api/staff/{desk.content_type}/{item_id}/revisions"

    # The user who restores a text is its last editor.
    editor.client.post_json(f"{revisions}/1/restore", {})
    desk.request(item_id)
    for each in (editor, twin):
        each.approve(item_id, status=403)
    approvers[0].approve(item_id)
    desk.withdraw(item_id)
    # The user who requests it may not approve it either.
    approvers[0].request(item_id)
    approvers[0].approve(item_id, status=403)
    approvers[1].approve(item_id)
    assert status(desk, item_id) == "pending"


def test_old_requests_are_reminded_of_once(
    clock: Clock,
    app: Client,
    instance: Instance,
    make_role: Callable[..., Role],
    make_user: MakeUser,
) -> None:
    make_role("board")
    desks = [Desk(app, name).as_role("editor") for name in BODIES]
    people = [make_user(name, role="admin") for name in ("ann", "ben", "cai")]
    ann, ben, board = (app.as_user(each) for each in (*people[:2], make_user("bob", role="board")))
    waiting = {desk.content_type: create(desk) for desk in desks}
    for desk in desks:
        desk.request(waiting[desk.content_type])
        desk.as_user(people[0]).approve(waiting[desk.content_type])
        decided = create(desk)
        desk.request(decided)
        desk.as_user(people[2]).reject(decided)
    deadlines = {each["deadline"] for each in ben.get("/api/staff/approval/pending").json}
    shown = {
        ben.get(f"/api/staff/approval/{name}/{waiting[name]}").json["deadline"] for name in waiting
    }
    assert shown == deadlines == {utc_text(clock.now() + timedelta(hours=48))}

    work(instance, clock, hours=23)
    assert notices(ben) == []
    work(instance, clock, hours=1)
    # Actions have no reminder, and who has approved an item isn't reminded.
    reminders = ['"First" has waited for approval for 24 hours'] * 3
    assert [notices(each) for each in (ann, ben, board)] == [[], reminders, []]
    work(instance, clock, hours=24)
    overdue = ['"First" has waited for approval for 48 hours, and nobody has decided'] * 4
    assert [notices(each) for each in (ann, ben, board)] == [[], reminders, overdue]

    for desk in desks:
        desk.as_user(people[1]).reject(waiting[desk.content_type])
    work(instance, clock, hours=72)
    assert notices(board) == overdue


def work(instance: Instance, clock: Clock, *, hours: int) -> None:
    """Let time pass, after which two workers do all jobs."""
    clock.shift(hours=hours)
    for worker in (Worker(instance), Worker(instance)):
        worker.turn()


def notices(client: Client) -> list[str]:
    found = client.get("/api/staff/notifications").json
    return [each["message"] for each in found if "waited" in each["message"]]
