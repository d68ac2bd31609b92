"""Approvals by several users, named reviewers, and requests that are withdrawn."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from sqlalchemy import select, update

from masthead.audit.models import AuditEntry
from masthead.auth.models import Role, User
from masthead.db import Database
from masthead.testing import Desk

Make = Callable[..., int]
PENDING = "/api/staff/approval/pending"


@pytest.fixture
def settings() -> dict[str, str]:
    return {"masthead.approval.required": "1 letters=2"}


@pytest.fixture
def people(make_user: Callable[..., User]) -> list[User]:
    """The users who may approve letters."""
    return [make_user(name, role="admin") for name in ("ann", "ben", "cai")]


@pytest.fixture
def approvers(letters: Desk, people: list[User]) -> list[Desk]:
    return [letters.as_user(each) for each in people]


def detail(desk: Desk, letter: int) -> Any:
    return desk.client.get(f"/api/staff/approval/letters/{letter}").json


def status(desk: Desk, letter: int) -> Any:
    return detail(desk, letter)["approvalStatus"]


def counting(desk: Desk, letter: int) -> list[tuple[str, bool]]:
    return [(it["user"]["username"], it["counts"]) for it in detail(desk, letter)["votes"]]


def notices(desk: Desk) -> list[tuple[str, str]]:
    found = desk.client.get("/api/staff/notifications").json
    return [(each["type"], each["message"]) for each in found]


def moves(database: Database) -> list[str]:
    with database.session() as session:
        entries = session.scalars(select(AuditEntry.action).order_by(AuditEntry.id)).all()
    return [each for each in entries if each.startswith("approval.")]


def test_the_last_of_several_approvals_publishes(
    letters: Desk,
    approvers: list[Desk],
    people: list[User],
    make_letter: Make,
    database: Database,
) -> None:
    letter = make_letter()
    letters.request(letter)
    ann, ben, _ = approvers

    early = ann.approve(letter, until="2036-01-01", status=400)["fields"]
    first = ann.approve(letter, comment="Fine")
    [vote] = detail(ben, letter)["votes"]
    [waiting] = ben.client.get(PENDING).json
    [done] = ann.client.get(PENDING).json

    assert [each["path"] for each in early] == ["until"]
    assert first == {"success": True, "approvals": 1, "required": 2}
    assert (vote["user"]["username"], vote["comment"], vote["counts"]) == ("ann", "Fine", True)
    assert (waiting["approvals"], waiting["required"]) == (1, 2)
    assert (waiting["mayApprove"], done["mayApprove"]) == (True, False)
    assert [detail(each, letter)["mayApprove"] for each in (ben, ann)] == [True, False]
    told = '"A letter" was approved by ann; it has 1 of 2 approvals: Fine'
    assert notices(letters) == [("system", told)]
    # With another token, the user is the same person.
    repeated = letters.as_user(people[0]).approve(letter, status=400)
    assert repeated["error"] == "You have approved it already; it has 1 of 2 approvals"
    assert status(ben, letter) == "pending"

    # Letters have no time at which they vanish.
    ben.approve(letter, until="2036-01-01", status=400)
    assert ben.approve(letter) == {"success": True, "approvals": 2, "required": 2}
    assert status(ben, letter) == "approved"
    assert moves(database) == ["approval.request", "approval.vote", "approval.approve"]
    assert detail(ben, letter)["votes"] == []


def test_votes_of_users_who_lost_the_power_do_not_count(
    letters: Desk, approvers: list[Desk], people: list[User], make_letter: Make
) -> None:
    letter = make_letter()
    letters.request(letter)
    ann, ben, cai = approvers
    ann.approve(letter)
    boss = cai.client

    boss.put_json(f"/api/staff/users/{people[0].id}", {"disabled": True})
    assert counting(cai, letter) == [("ann", False)]
    assert ben.approve(letter)["approvals"] == 1
    boss.put_json(f"/api/staff/users/{people[1].id}", {"roles": ["editor"]})
    assert boss.get(PENDING).json[0]["approvals"] == 0
    assert cai.approve(letter)["approvals"] == 1
    boss.put_json(f"/api/staff/users/{people[1].id}", {"roles": ["admin"]})
    assert counting(cai, letter) == [("ann", False), ("ben", True), ("cai", True)]


def test_a_change_and_a_new_request_drop_the_votes(
    letters: Desk, approvers: list[Desk], make_letter: Make, letter_type: Any, database: Database
) -> None:
    letter = make_letter()
    letters.request(letter)
    ann, ben, cai = approvers
    ann.approve(letter)

    with database.transaction() as session:
        session.execute(update(letter_type.model).values(revision=2))
    assert counting(ben, letter) == [("ann", False)]
    assert ben.approve(letter)["approvals"] == 1
    assert ann.approve(letter)["approvals"] == 2

    other = make_letter()
    letters.request(other)
    ann.approve(other)
    cai.reject(other, reason="No")
    assert status(ben, other) == "rejected"
    letters.request(other)
    assert counting(ben, other) == []
    assert ben.approve(other)["approvals"] == 1


def test_too_few_approvers_are_reported(letters: Desk, make_letter: Make) -> None:
    admin = letters.as_role("admin")
    letter = make_letter()

    answer = letters.request(letter)

    assert answer["warning"].startswith("Fewer users can approve it than have to")
    assert ("system", "Too few") in [
        (each["type"], each["title"][:7])
        for each in admin.client.get("/api/staff/notifications").json
    ]


def test_a_request_is_withdrawn_by_editors(
    letters: Desk,
    approvers: list[Desk],
    make_letter: Make,
    make_role: Callable[..., Role],
    make_user: Callable[..., User],
    database: Database,
) -> None:
    make_role("readers", "post.read")
    reader = letters.as_user(make_user("rea", role="readers"))
    letter = make_letter()
    letters.request(letter, comment="Urgent")

    reader.withdraw(letter, status=403)
    letters.withdraw(999, status=404)
    assert letters.withdraw(letter) == {"success": True}

    shown = detail(letters, letter)
    assert (shown["approvalStatus"], shown["comment"]) == ("draft", None)
    assert notices(letters) == []
    assert letters.withdraw(letter, status=400)["error"] == "Not pending approval"
    approvers[0].approve(letter, status=400)
    letters.request(letter)
    assert moves(database) == ["approval.request", "approval.withdraw", "approval.request"]
    letters.as_user(make_user("wim")).withdraw(letter)
    assert notices(letters) == [("approval_returned", 'wim withdrew the request for "A letter"')]


def test_a_reviewer_is_asked_and_others_may_still_approve(
    letters: Desk,
    approvers: list[Desk],
    people: list[User],
    make_letter: Make,
    make_user: Callable[..., User],
) -> None:
    ann, ben, cai = approvers
    letter, other = make_letter(), make_letter()
    writer = make_user("wim")
    for stranger in (writer.id, 999, make_user("gone", role="admin", disabled=True).id):
        refused = letters.request(letter, reviewerId=stranger, status=400)
        assert refused["error"] == "reviewerId: This user can't approve the item"
    assert letters.request(letter, reviewerId="ann", status=400)["fields"][0]["path"] == (
        "reviewerId"
    )

    letters.request(other)
    letters.request(letter, reviewerId=people[0].id)

    assert detail(ben, letter)["reviewer"]["username"] == "ann"
    assigned = [desk.client.get(PENDING, {"assignedToMe": "true"}).json for desk in (ann, ben)]
    assert [[each["id"] for each in found] for found in assigned] == [[letter], []]
    assert len(ben.client.get(PENDING, {"assignedToMe": "false"}).json) == 2
    # Two approvals are needed, so the others are notified, too.
    assert len(notices(ann)) == len(notices(cai)) == 2
    ben.approve(letter)
    cai.approve(letter)
    assert status(ann, letter) == "approved"


def test_possible_reviewers_are_listed_for_editors(
    letters: Desk,
    approvers: list[Desk],
    make_user: Callable[..., User],
    make_role: Callable[..., Role],
) -> None:
    path = "/api/staff/approval-reviewers/letters"
    make_role("readers", "post.read")

    found = letters.client.get(path)

    assert [each["username"] for each in found.json][:2] == ["ann", "ben"]
    assert found.headers["X-Total-Count"] == "3"
    assert len(approvers) == 3
    letters.as_user(make_user("rea", role="readers")).client.get(path, status=403)
    letters.client.get("/api/staff/approval-reviewers/none", status=404)


def test_of_approvals_at_once_each_user_counts_and_one_is_the_last(
    letters: Desk,
    approvers: list[Desk],
    people: list[User],
    make_letter: Make,
    database: Database,
) -> None:
    callers = [*approvers[:2], letters.as_user(people[0])]
    barrier = Barrier(len(callers))

    def approve(desk: Desk) -> Any:
        body = {"contentType": "letters", "contentId": letter}
        barrier.wait()
        return desk.client.post_json("/api/staff/approval/approve", body, status="*")

    with ThreadPoolExecutor(len(callers)) as threads:
        for _ in range(4):
            letter = make_letter()
            letters.request(letter)
            answers = list(threads.map(approve, callers))
            assert sorted(each.status_int for each in answers) == [200, 200, 400]
            approvals = [each.json["approvals"] for each in answers if each.status_int == 200]
            assert sorted(approvals) == [1, 2]
            assert status(letters, letter) == "approved"
    assert moves(database).count("approval.approve") == 4
    assert moves(database).count("approval.vote") == 4
