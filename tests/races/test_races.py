"""Conflicting actions at the same moment, on two servers: exactly one of them wins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from masthead import ContentType
from masthead.audit.models import AuditEntry
from masthead.auth.models import Role, User
from masthead.notifications.models import Notification
from masthead.testing import Database

pytestmark = pytest.mark.slow


class Desks:
    """The participants, and their requests to one content type."""

    def __init__(self, ask: Any, content_type: ContentType, staff: Any) -> None:
        self._ask = ask
        self.content_type = content_type
        self.editor, self.one, self.other = staff.editor, staff.one, staff.other

    def move(self, user: User, name: str, item_id: int, **body: Any) -> Any:
        sent = {"contentType": self.content_type.name, "contentId": item_id, **body}
        return self._ask(user, "POST", f"/api/staff/approval/{name}", sent)

    def edit(self, user: User, item_id: int, **values: Any) -> Any:
        return self._ask(user, "PUT", f"/api/staff/{self.content_type.name}/{item_id}", values)

    def delete(self, user: User, item_id: int) -> Any:
        return self._ask(user, "DELETE", f"/api/staff/{self.content_type.name}/{item_id}")

    def create(self, user: User, title: str) -> Any:
        return self._ask(user, "POST", f"/api/staff/{self.content_type.name}", {"title": title})

    def change_user(self, user: User, whom: User, **values: Any) -> Any:
        return self._ask(user, "PUT", f"/api/staff/users/{whom.id}", values)


@pytest.fixture
def desks(ask: Any, content_type: ContentType, staff: Any) -> Desks:
    return Desks(ask, content_type, staff)


def statuses(answers: Iterable[Any]) -> list[int]:
    return [answer.status for answer in answers]


def recorded(session: Session, item_id: int, *actions: str) -> Counter[str]:
    """Return the number of audit entries for each of the actions on an item."""
    entries = select(AuditEntry.action).where(AuditEntry.content_id == item_id)
    return Counter(session.scalars(entries.where(AuditEntry.action.in_(actions))))


def notified(session: Session, item_id: int, kind: str) -> int:
    """Return the number of notifications of a kind about an item."""
    rows = select(func.count()).select_from(Notification).where(Notification.content_id == item_id)
    return session.scalar(rows.where(Notification.type == kind)) or 0


def stored(session: Session, desks: Desks, item_id: int) -> Any:
    return session.get(desks.content_type.model, item_id, populate_existing=True)


def test_of_two_approvals_at_once_one_wins(
    runners: Any, desks: Desks, make_pending: Any, session: Session
) -> None:
    for item_id in make_pending(desks.editor):
        answers = runners.race(
            desks.move(desks.one, "approve", item_id), desks.move(desks.other, "approve", item_id)
        )

        assert sorted(statuses(answers)) == [200, 400]
        winner = (desks.one, desks.other)[statuses(answers).index(200)]
        assert stored(session, desks, item_id).approved_by == winner.id
        assert recorded(session, item_id, "approval.approve") == {"approval.approve": 1}
        assert notified(session, item_id, "approval_approved") == 1


def test_of_an_approval_and_a_rejection_at_once_one_wins(
    runners: Any, desks: Desks, make_pending: Any, session: Session
) -> None:
    for item_id in make_pending(desks.editor):
        answers = runners.race(
            desks.move(desks.one, "approve", item_id), desks.move(desks.other, "reject", item_id)
        )

        assert sorted(statuses(answers)) == [200, 400]
        approved = answers[0].status == 200
        item = stored(session, desks, item_id)
        assert item.approval_status == ("approved" if approved else "rejected")
        assert item.published is approved
        won = "approval.approve" if approved else "approval.reject"
        assert recorded(session, item_id, "approval.approve", "approval.reject") == {won: 1}
        assert notified(session, item_id, "approval_approved") == int(approved)
        assert notified(session, item_id, "approval_rejected") == int(not approved)


def test_nobody_approves_a_revision_that_they_have_not_read(
    runners: Any, desks: Desks, make_pending: Any, session: Session
) -> None:
    for item_id in make_pending(desks.editor):
        read = stored(session, desks, item_id)
        title, etag = read.title, str(read.revision)

        approval, edit = runners.race(
            desks.move(desks.one, "approve", item_id, etag=etag),
            desks.edit(desks.editor, item_id, title=f"{title}, edited"),
        )

        item = stored(session, desks, item_id)
        assert edit.status == 200
        assert approval.status in (200, 400)
        # An edit before the approval isn't public, and one afterwards is only staged.
        assert item.published is (approval.status == 200)
        assert (item.title == title) is (approval.status == 200)
        assert item.approval_status == "draft"
        assert notified(session, item_id, "approval_approved") == (approval.status == 200)


def test_an_edit_by_another_approver_makes_an_approval_stale(
    runners: Any, desks: Desks, make_pending: Any, session: Session
) -> None:
    for item_id in make_pending(desks.editor):
        etag = str(stored(session, desks, item_id).revision)

        approval, edit = runners.race(
            desks.move(desks.one, "approve", item_id, etag=etag),
            desks.edit(desks.other, item_id, title="Edited"),
        )

        item = stored(session, desks, item_id)
        # The answer to the edit shows which of the two came first.
        first = edit.json["approvalStatus"] == "pending"
        assert edit.status == 200
        assert approval.status == (400 if first else 200)
        assert item.approval_status == ("pending" if first else "approved")
        assert recorded(session, item_id, "approval.approve").total() == (not first)


def test_a_deletion_and_an_approval_at_once_follow_each_other(
    runners: Any, desks: Desks, make_pending: Any, session: Session
) -> None:
    for item_id in make_pending(desks.editor):
        deletion, approval = runners.race(
            desks.delete(desks.one, item_id), desks.move(desks.other, "approve", item_id)
        )

        assert deletion.status == 200
        assert approval.status in (200, 404)
        assert stored(session, desks, item_id) is None
        approvals = recorded(session, item_id, "approval.approve").total()
        assert approvals == (approval.status == 200)
        assert recorded(session, item_id, "content.delete").total() == 1


def test_concurrent_creates_with_one_title_get_different_slugs(
    runners: Any, desks: Desks, rounds: range
) -> None:
    for number in rounds:
        answers = runners.race(*[desks.create(desks.editor, f"Same {number}")] * 16)

        assert statuses(answers) == [200] * 16
        suffixes = ["", *(f"-{n}" for n in range(2, 17))]
        assert {answer.json["slug"] for answer in answers} == {
            f"same-{number}{suffix}" for suffix in suffixes
        }


def test_the_last_two_administrators_cannot_demote_each_other(
    runners: Any, desks: Desks, rounds: range, database: Database, session: Session
) -> None:
    one, other = desks.one, desks.other
    for _ in rounds:
        before = changes_of_users(session)
        answers = runners.race(
            desks.change_user(one, other, roles=[]), desks.change_user(other, one, roles=[])
        )

        assert statuses(answers).count(200) == 1
        assert set(statuses(answers)) <= {200, 400, 401, 403}
        admins = [
            u.id for u in (one, other) if session.get_one(User, u.id, populate_existing=True).roles
        ]
        assert len(admins) == 1
        assert changes_of_users(session) == before + 1
        with database.transaction() as writing:
            admin = writing.scalars(select(Role).where(Role.name == "admin")).one()
            for user in (one, other):
                writing.get_one(User, user.id).roles = [admin]


def changes_of_users(session: Session) -> int:
    rows = select(func.count()).select_from(AuditEntry).where(AuditEntry.action == "user.update")
    return session.scalar(rows) or 0
