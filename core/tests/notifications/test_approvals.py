"""Notifications about approvals: recipients and texts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import delete, func, select
from sqlalchemy.orm import DeclarativeBase, Session

from masthead.approval.declaration import Approvable, ApprovableItem
from masthead.approval.events import Transitioned
from masthead.auth.approvers import Approver
from masthead.auth.models import Role, User
from masthead.core_plugin import plugin as core
from masthead.db import Database, plugin_metadata
from masthead.hookspecs import hookimpl
from masthead.instance import Instance
from masthead.notifications.models import Notification
from masthead.plugins import Plugin
from masthead.testing.client import Client

pytestmark = pytest.mark.usefixtures("judges")

MakeUser = Callable[..., User]


class Base(DeclarativeBase):
    metadata = plugin_metadata("poems")


class Poem(ApprovableItem, Base):
    __tablename__ = "poems_poem"


class Hooks:
    """An approvable item without further columns."""

    @hookimpl
    def masthead_content_types(self) -> list[Approvable]:
        return [Approvable(name="poems", label="Poem", model=Poem)]


POEMS = Plugin(name="poems", hooks=(Hooks(),), base=Base)


@pytest.fixture
def plugins() -> list[Plugin]:
    return [core, POEMS]


Approve = Callable[..., None]


@pytest.fixture
def happen(database: Database, instance: Instance) -> Approve:
    """Publish the event of a transition of the poem "Ode"."""

    def happen(transition: str, **changes: Any) -> None:
        event = Transitioned(
            **{
                "transition": transition,
                "content_type": "poems",
                "item_id": 7,
                "title": "Ode",
                "actor_id": None,
                "requester_id": None,
                **changes,
            }
        )
        with database.transaction() as session:
            instance.hooks.masthead_transitioned(session=session, event=event)

    return happen


@pytest.fixture
def judges(make_role: Callable[..., Role], database: Database) -> None:
    """The only role that may approve poems."""
    role = make_role("judge")
    with database.transaction() as session:
        session.execute(delete(Approver))
        session.add(Approver(content_type="poems", role_id=role.id))


def heard(app: Client, user: User) -> list[tuple[str, str, str]]:
    told = app.as_user(user).get("/api/staff/notifications").json
    assert {(each["contentType"], each["contentId"]) for each in told} <= {("poems", 7)}
    return [(each["type"], each["title"], each["message"]) for each in told]


def test_a_request_notifies_every_holder_of_a_configured_role(
    app: Client, make_user: MakeUser, happen: Approve
) -> None:
    ada = make_user("ada", role="judge", display_name="Ada Berg")
    ben = make_user("ben", role="editor", roles=("judge",))
    others = [make_user(role="editor"), make_user(role="admin")]

    happen("request", actor_id=ada.id, requester_id=ada.id)

    expected = [
        ("approval_request", "Approval Request: Poem", 'Ada Berg requests approval of "Ode"')
    ]
    assert heard(app, ada) == expected
    assert heard(app, ben) == expected
    assert [heard(app, other) for other in others] == [[], []]


def test_a_holder_of_two_configured_roles_is_notified_once(
    app: Client, make_user: MakeUser, happen: Approve, database: Database
) -> None:
    with database.transaction() as session:
        editor = session.scalars(select(Role).where(Role.name_key == "editor")).one()
        session.add(Approver(content_type="poems", role_id=editor.id))
    both = make_user(role="editor", roles=("judge",))

    happen("request", actor_id=both.id, requester_id=both.id)

    assert len(heard(app, both)) == 1


def test_a_role_configured_for_another_type_is_not_notified(
    app: Client,
    make_user: MakeUser,
    make_role: Callable[..., Role],
    database: Database,
    happen: Approve,
) -> None:
    other = make_role("other")
    with database.transaction() as session:
        session.add(Approver(content_type="plays", role_id=other.id))
    user = make_user(role="other")

    happen("request", actor_id=user.id, requester_id=user.id)

    assert heard(app, user) == []


def test_a_disabled_approver_is_not_notified(
    make_user: MakeUser, happen: Approve, session: Session
) -> None:
    make_user(role="judge", disabled=True)

    happen("request")

    assert session.scalar(select(func.count(Notification.id))) == 0


def test_the_requester_is_notified_of_an_approval(
    app: Client, make_user: MakeUser, happen: Approve
) -> None:
    requester, judge = make_user(), make_user("judith", role="judge")

    happen("approve", actor_id=judge.id, requester_id=requester.id)

    assert heard(app, requester) == [
        ("approval_approved", "Approval Approved: Poem", '"Ode" was approved by judith')
    ]
    assert heard(app, judge) == []


def test_the_requester_is_notified_of_a_rejection_and_its_reason(
    app: Client, make_user: MakeUser, happen: Approve
) -> None:
    requester, judge = make_user(), make_user("judith", role="judge")

    happen("reject", actor_id=judge.id, requester_id=requester.id, reason="Too long")
    happen("reject", actor_id=judge.id, requester_id=requester.id)

    assert heard(app, requester) == [
        ("approval_rejected", "Approval Rejected: Poem", '"Ode" was rejected by judith'),
        ("approval_rejected", "Approval Rejected: Poem", '"Ode" was rejected by judith: Too long'),
    ]


def test_a_requester_who_may_approve_is_notified_of_both(
    app: Client, make_user: MakeUser, happen: Approve
) -> None:
    judge = make_user(role="judge")

    happen("request", actor_id=judge.id, requester_id=judge.id)
    happen("approve", actor_id=judge.id, requester_id=judge.id)

    assert [kind for kind, _, _ in heard(app, judge)] == ["approval_approved", "approval_request"]


def test_the_actor_of_the_command_line_is_an_administrator(
    app: Client, make_user: MakeUser, happen: Approve
) -> None:
    judge = make_user(role="judge")

    happen("request")

    assert [message for _, _, message in heard(app, judge)] == [
        'An administrator requests approval of "Ode"'
    ]


def test_nobody_is_notified_without_a_requester(
    make_user: MakeUser, happen: Approve, session: Session
) -> None:
    make_user(role="judge")

    happen("publish")
    happen("approve")
    happen("reject")

    assert session.scalar(select(func.count(Notification.id))) == 0


def test_an_author_is_notified_of_a_rejection_that_somebody_else_requested(
    app: Client, make_user: MakeUser, happen: Approve
) -> None:
    author, editor, requester, other = (make_user() for _ in range(4))
    judge = make_user("judith", role="judge")
    authors = {"author_ids": (author.id, editor.id), "requester_id": requester.id}

    happen("approve", actor_id=judge.id, **authors)
    happen("reject", actor_id=judge.id, reason="Too long", **authors)

    rejected = ("approval_rejected", "Approval Rejected: Poem")
    told = (*rejected, '"Ode" was rejected by judith: Too long')
    assert [heard(app, each) for each in (author, editor)] == [[told], [told]]
    assert [kind for kind, _, _ in heard(app, requester)] == [
        "approval_rejected",
        "approval_approved",
    ]
    assert [heard(app, each) for each in (other, judge)] == [[], []]


def test_an_author_who_is_the_requester_is_notified_once(
    app: Client, make_user: MakeUser, happen: Approve
) -> None:
    author = make_user()

    happen("reject", author_ids=(author.id, author.id), requester_id=author.id)

    assert len(heard(app, author)) == 1


@pytest.mark.parametrize(
    ("permission", "count"), [("poems.read", 1), ("poems.write", 1), ("tags.read", 0)]
)
def test_only_an_author_who_may_still_read_the_item_is_notified(
    app: Client,
    make_role: Callable[..., Role],
    make_user: MakeUser,
    happen: Approve,
    permission: str,
    count: int,
) -> None:
    make_role("clerk", permission)
    author = make_user(role="clerk")

    happen("reject", author_ids=(author.id,))

    assert len(heard(app, author)) == count


def test_an_author_who_rejects_their_own_item_is_not_notified(
    app: Client, make_user: MakeUser, happen: Approve
) -> None:
    judge = make_user(role="judge", roles=("editor",))

    happen("reject", actor_id=judge.id, author_ids=(judge.id,), requester_id=make_user().id)

    assert heard(app, judge) == []


def test_administrators_are_notified_if_nobody_can_approve(
    app: Client, make_user: MakeUser, happen: Approve
) -> None:
    boss, editor = make_user(role="admin"), make_user("ada")

    happen("request", actor_id=editor.id, requester_id=editor.id, approvers=0)

    message = 'ada requests approval of "Ode", but nobody can approve it'
    assert heard(app, boss) == [("system", "Nobody can approve: Poem", message)]
    assert heard(app, editor) == []
