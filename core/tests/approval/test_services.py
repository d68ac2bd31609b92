"""The three transitions: required powers, allowed states and effects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import inspect, select
from sqlalchemy.orm import Session

from masthead.approval.declaration import Approvable
from masthead.approval.events import Transitioned
from masthead.audit.models import AuditEntry
from masthead.auth.models import Role, User
from masthead.db import Database
from masthead.testing import Desk
from masthead.testing.client import Client
from masthead.testing.clock import Clock


@pytest.fixture
def look(session: Session, letter_type: Approvable) -> Callable[[int], Any]:
    """Return a letter as it is stored."""
    return lambda letter_id: session.get(letter_type.model, letter_id, populate_existing=True)


def test_a_request_stores_the_user_and_the_time(
    clock: Clock,
    letters: Desk,
    make_letter: Callable[..., int],
    look: Callable[[int], Any],
    make_user: Callable[..., User],
) -> None:
    ada = make_user("ada")
    letter = make_letter()

    make_user("ben", role="admin")

    assert letters.as_user(ada).request(letter) == {"success": True}

    stored = look(letter)
    assert (stored.approval_status, stored.published) == ("pending", False)
    assert (stored.approval_requested_by, stored.approval_requested_at) == (ada.id, clock.now())
    assert stored.approved_at is stored.rejected_at is None


def test_an_approval_publishes_and_stores_the_user_and_the_time(
    clock: Clock,
    letters: Desk,
    make_letter: Callable[..., int],
    look: Callable[[int], Any],
    make_user: Callable[..., User],
) -> None:
    boss = make_user("boss", role="admin")
    letter = make_letter()
    letters.request(letter)
    clock.shift(hours=1)

    assert letters.as_user(boss).approve(letter) == {"success": True}

    stored = look(letter)
    assert (stored.approval_status, stored.published) == ("approved", True)
    assert (stored.approved_by, stored.approved_at) == (boss.id, clock.now())
    assert stored.revision == 1


def test_a_rejection_unpublishes_and_stores_the_user_the_time_and_the_reason(
    clock: Clock,
    letters: Desk,
    make_letter: Callable[..., int],
    look: Callable[[int], Any],
    make_user: Callable[..., User],
) -> None:
    boss = make_user("boss", role="admin")
    letter = make_letter()
    letters.request(letter)

    assert letters.as_user(boss).reject(letter, reason="  Too long ") == {"success": True}

    stored = look(letter)
    assert (stored.approval_status, stored.published) == ("rejected", False)
    assert (stored.rejected_by, stored.rejected_at) == (boss.id, clock.now())
    assert stored.rejection_reason == "Too long"


def test_a_reason_may_be_left_out_or_null(
    letters: Desk, approver: Desk, make_letter: Callable[..., int], look: Callable[[int], Any]
) -> None:
    without: dict[str, Any] = {}
    for sent in (without, {"reason": None}):
        letter = make_letter()
        letters.request(letter)
        approver.reject(letter, **sent)
        assert look(letter).rejection_reason is None

    letter = make_letter()
    letters.request(letter)
    for reason in (5, "x" * 2001, "a\x00b"):
        assert approver.reject(letter, reason=reason, status=400)["error"].startswith("reason")
    assert look(letter).approval_status == "pending"


def test_a_new_request_clears_the_rejection_and_the_audit_log_keeps_it(
    letters: Desk,
    approver: Desk,
    make_letter: Callable[..., int],
    look: Callable[[int], Any],
    session: Session,
) -> None:
    letter = make_letter()
    letters.request(letter)
    approver.reject(letter, reason="Too long")

    letters.request(letter)

    stored = look(letter)
    assert stored.rejected_at is stored.rejected_by is stored.rejection_reason is None
    approver.approve(letter)
    entries = session.scalars(
        select(AuditEntry).where(AuditEntry.content_id == letter).order_by(AuditEntry.id)
    ).all()
    assert [(entry.action, entry.content_type) for entry in entries] == [
        ("approval.request", "letters"),
        ("approval.reject", "letters"),
        ("approval.request", "letters"),
        ("approval.approve", "letters"),
    ]
    assert [entry.detail.get("reason") for entry in entries] == [None, "Too long", None, None]


def test_each_transition_starts_from_its_own_states_only(
    letters: Desk, approver: Desk, make_letter: Callable[..., int], look: Callable[[int], Any]
) -> None:
    reach: dict[str, list[Callable[[int], Any]]] = {
        "draft": [],
        "pending": [letters.request],
        "approved": [letters.request, approver.approve],
        "rejected": [letters.request, approver.reject],
    }
    moves = {"request": letters.request, "approve": approver.approve, "reject": approver.reject}
    allowed = {"request": {"draft", "rejected"}, "approve": {"pending"}, "reject": {"pending"}}
    for state, way in reach.items():
        for name, move in moves.items():
            letter = make_letter()
            for step in way:
                step(letter)
            answer = move(letter, status=200 if state in allowed[name] else 400)
            if state not in allowed[name]:
                assert look(letter).approval_status == state
                assert name == "request" or answer == {"error": "Not pending approval"}


def test_checks_come_in_their_order(
    app: Client,
    letters: Desk,
    approver: Desk,
    make_letter: Callable[..., int],
    make_user: Callable[..., User],
) -> None:
    nobody, anonymous = letters.as_user(make_user(role=None)), Desk(app, "letters")
    letter = make_letter()
    for name in ("request", "approve", "reject"):
        for bad in ("x", None, 0, -1, 2**63, True, [letter], "1"):
            move = getattr(anonymous, name)
            assert move(bad, status=401) == {"error": "Unauthorized"}
            assert getattr(nobody, name)(bad, status=400)["error"].startswith("contentId")
        assert getattr(nobody, name)(999, status=404) == {"error": "Content not found"}
        assert getattr(nobody, name)(letter, status=403)
        for kind in ("news", "Letters", None, 5, ["letters"]):
            body = {"contentType": kind, "contentId": letter}
            path = f"/api/staff/approval/{name}"
            error = nobody.client.post_json(path, body, status=400).json["error"]
            assert error.startswith("contentType")
        nobody.client.post_json(f"/api/staff/approval/{name}", {}, status=400)
    letters.approve(letter, status=403)
    approver.approve(letter, status=400)


def test_the_power_to_approve_comes_from_the_configuration_alone(
    letters: Desk,
    make_letter: Callable[..., int],
    make_role: Callable[..., Role],
    make_user: Callable[..., User],
) -> None:
    admin = letters.client.as_role("admin")
    judges = make_role("judges")
    make_role("writers", "post.read", "post.write")
    judge, writer = (letters.as_user(make_user(name, role=name)) for name in ("judges", "writers"))
    letter = make_letter()

    judge.request(letter, status=403)
    writer.request(letter)
    writer.approve(letter, status=403)
    judge.approve(letter, status=403)
    row = {"contentType": "letters", "roleId": judges.id}
    row_id = admin.post_json("/api/staff/approval-config", row).json["id"]
    judge.request(letter, status=403)
    judge.approve(letter)

    other = make_letter()
    writer.request(other)
    admin.delete(f"/api/staff/approval-config/{row_id}")
    judge.reject(other, status=403)


def test_even_an_admin_approves_only_what_the_configuration_lets_them(
    approver: Desk, letters: Desk, make_letter: Callable[..., int]
) -> None:
    config = approver.client.get("/api/staff/approval-config").json
    letter = make_letter()
    letters.request(letter)

    approver.client.delete(f"/api/staff/approval-config/{config[0]['id']}")

    approver.approve(letter, status=403)
    approver.reject(letter, status=403)


def test_an_approval_can_name_the_revision_that_was_read(
    letters: Desk, approver: Desk, make_letter: Callable[..., int], look: Callable[[int], Any]
) -> None:
    letter = make_letter(revision=4)
    letters.request(letter)

    for stale in ('"3"', "3", "", "04"):
        assert approver.approve(letter, etag=stale, status=400)["error"].startswith("etag")
    assert approver.approve(letter, etag=4, status=400)["error"].startswith("etag")
    assert look(letter).approval_status == "pending"
    approver.approve(letter, etag='"4"')


def test_plugins_are_called_in_the_transaction_of_each_transition(
    letters: Desk,
    approver: Desk,
    make_letter: Callable[..., int],
    make_user: Callable[..., User],
    events: list[Transitioned],
    look: Callable[[int], Any],
) -> None:
    ada = make_user("ada")
    letter, bomb = make_letter(), make_letter(title="Explosive")
    letters.as_user(ada).request(letter)
    approver.reject(letter, reason="No")

    assert [event.transition for event in events] == ["request", "reject"]
    assert events[1] == Transitioned(
        transition="reject",
        content_type="letters",
        item_id=letter,
        title="A letter",
        actor_id=events[1].actor_id,
        requester_id=ada.id,
        reason="No",
    )
    assert (events[0].approvers, events[0].author_ids) == (1, ())
    letters.request(bomb, status=500)
    assert look(bomb).approval_status == "draft"


def test_a_request_that_nobody_can_approve_warns_its_requester_and_administrators(
    app: Client,
    letters: Desk,
    make_letter: Callable[..., int],
    make_role: Callable[..., Role],
    make_user: Callable[..., User],
) -> None:
    boss = app.as_role("admin")
    make_role("judge")
    make_user("judith", role="judge", disabled=True)
    admin_role = next(r["id"] for r in boss.get("/api/staff/roles").json if r["name"] == "admin")
    [row] = boss.get("/api/staff/approval-config").json
    assert row["roleId"] == admin_role
    boss.delete(f"/api/staff/approval-config/{row['id']}")
    ada = letters.as_user(make_user("ada"))
    letter = make_letter()

    answer = ada.request(letter)

    assert answer["warning"].startswith("Nobody can approve it")
    [notice] = boss.get("/api/staff/notifications").json
    assert (notice["type"], notice["title"]) == ("system", "Nobody can approve: Letter")
    assert notice["message"] == 'ada requests approval of "A letter", but nobody can approve it'
    assert (notice["contentType"], notice["contentId"]) == ("letters", letter)


class TestFourEyes:
    """``masthead.approval.four_eyes`` requires another user than the requester and last editor."""

    @pytest.fixture
    def settings(self) -> dict[str, str]:
        return {"masthead.approval.four_eyes": "true"}

    def test_the_requester_and_the_last_editor_do_not_count_as_approvers(
        self, letters: Desk, make_letter: Callable[..., int], make_user: Callable[..., User]
    ) -> None:
        ada, ben = (make_user(name, role="admin") for name in ("ada", "ben"))
        first, second = make_letter(edited_by=ben.id), make_letter(edited_by=ada.id)

        assert "warning" in letters.as_user(ada).request(first)
        assert "warning" not in letters.as_user(ada).request(second)

    def test_the_requester_and_the_last_editor_may_not_approve(
        self, letters: Desk, make_letter: Callable[..., int], make_user: Callable[..., User]
    ) -> None:
        ada, ben, cleo = (make_user(name, role="admin") for name in ("ada", "ben", "cleo"))
        letter = make_letter(created_by=cleo.id, edited_by=ben.id)
        letters.as_user(ada).request(letter)

        def may_approve(user: User) -> list[bool]:
            client = letters.as_user(user).client
            return [each["mayApprove"] for each in client.get("/api/staff/approval/pending").json]

        assert [may_approve(user) for user in (ada, ben, cleo)] == [[False], [False], [True]]
        letters.as_user(ada).approve(letter, status=403)
        letters.as_user(ben).approve(letter, status=403)
        letters.as_user(cleo).approve(letter)

    def test_they_may_still_reject_it(
        self, letters: Desk, make_letter: Callable[..., int], make_user: Callable[..., User]
    ) -> None:
        ada = make_user("ada", role="admin")
        letter = make_letter()
        letters.as_user(ada).request(letter)

        letters.as_user(ada).reject(letter)


def test_without_four_eyes_a_requester_may_approve(
    approver: Desk, make_letter: Callable[..., int]
) -> None:
    letter = make_letter()

    approver.request(letter)
    approver.approve(letter)


def test_the_items_of_a_user_are_found_by_an_index(database: Database) -> None:
    indexes = inspect(database.engine).get_indexes("post_letter")

    assert ["created_by"] in [index["column_names"] for index in indexes]
