"""The caller of a request and their permissions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from sqlalchemy import Engine, delete, event

from masthead.auth.approvers import Approver
from masthead.auth.grants import read_grants
from masthead.auth.models import Role, User
from masthead.db import Database
from masthead.instance import Instance, open_instance
from masthead.plugins import Plugin
from masthead.testing.client import Client

MakeUser = Callable[..., User]


@pytest.fixture
def statements() -> Iterator[list[str]]:
    """The SQL statements during the test."""
    found: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        found.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    yield found
    event.remove(Engine, "before_cursor_execute", note)


def permissions_of(app: Client, user: User) -> list[str]:
    found: list[str] = app.as_user(user).get("/api/auth/check").json["user"]["permissions"]
    return found


def test_without_a_token_the_answer_is_401_and_no_user_is_looked_up(
    app: Client, make_user: MakeUser, statements: list[str]
) -> None:
    make_user()
    assert [each for each in statements if "core_user" in each]
    statements.clear()

    assert app.get("/api/staff/users", status=401).json == {"error": "Unauthorized"}
    app.get("/api/staff/users", headers={"Authorization": "Bearer x.y.z"}, status=401)
    app.post("/api/auth/logout")

    assert not [each for each in statements if "core_user" in each]


def test_a_caller_is_read_in_one_statement(
    app: Client, make_user: MakeUser, statements: list[str]
) -> None:
    client = app.as_user(make_user(role="editor"))

    client.get("/api/staff/users", status=403)

    assert len([each for each in statements if "core_role_permission" in each]) == 1


def test_without_the_permission_the_answer_is_403(app: Client, make_user: MakeUser) -> None:
    client = app.as_user(make_user(role="editor"))

    assert client.get("/api/staff/users", status=403).json == {"error": "Forbidden"}
    client.post("/api/staff/users", "not even JSON", status=403)


def test_admin_implies_every_permission(app: Client, make_user: MakeUser) -> None:
    permissions = permissions_of(app, make_user(role="admin"))

    assert {"admin", "shelf.read", "shelf.write", "shelf.burn"} <= set(permissions)
    assert permissions == sorted(permissions)


def test_several_roles_add_up(
    app: Client, make_user: MakeUser, make_role: Callable[..., Role]
) -> None:
    make_role("reader", "shelf.read")
    make_role("burner", "shelf.burn")

    user = make_user(role=None, roles=("reader", "burner"))

    assert permissions_of(app, user) == ["shelf.burn", "shelf.read"]


def test_a_user_without_roles_may_only_manage_their_account(
    app: Client, make_user: MakeUser
) -> None:
    user = make_user(role=None)

    assert permissions_of(app, user) == []
    app.as_user(user).get("/api/staff/profile")


def test_approval_power_implies_reading_and_no_more(
    app: Client,
    instance: Instance,
    make_user: MakeUser,
    make_role: Callable[..., Role],
) -> None:
    role = make_role("approver")
    with instance.database.transaction() as session:
        session.add(Approver(content_type="books", role_id=role.id))
    user = make_user(role="approver")

    grants = read_grants(instance, user.id)

    assert grants is not None
    assert grants.approves == {"books"}
    assert permissions_of(app, user) == ["shelf.read"]


def test_approval_power_never_comes_from_a_permission(
    instance: Instance, make_user: MakeUser
) -> None:
    user = make_user(role="admin")
    with instance.database.transaction() as session:
        session.execute(delete(Approver))

    grants = read_grants(instance, user.id)

    assert grants is not None
    assert grants.approves == frozenset()


def test_declarations_of_a_disabled_plugin_are_hidden(
    database_url: str,
    instance: Instance,
    make_user: MakeUser,
    without_shelf: Mapping[str, Plugin],
) -> None:
    user = make_user(role="editor", roles=("admin",))
    later = open_instance({"masthead.database.url": database_url}, {}, without_shelf)

    before, after = read_grants(instance, user.id), read_grants(later, user.id)
    later.close()

    assert before is not None
    assert after is not None
    assert "shelf.read" in before.permissions
    assert not {name for name in after.permissions if name.startswith("shelf.")}
    assert before.approves == {"books"}
    assert after.approves == frozenset()


def test_a_disabled_user_s_token_is_invalid_at_once(
    app: Client, database: Database, make_user: MakeUser
) -> None:
    user = make_user()
    client = app.as_user(user)
    client.get("/api/auth/check")

    with database.transaction() as session:
        session.get_one(User, user.id).disabled = True

    client.get("/api/auth/check", status=401)


def test_a_deleted_user_s_token_is_not_the_next_user_s(
    app: Client, database: Database, make_user: MakeUser
) -> None:
    user = make_user("ada")
    client = app.as_user(user)

    with database.transaction() as session:
        session.delete(session.get_one(User, user.id))
    client.get("/api/auth/check", status=401)
    make_user("ada")

    client.get("/api/auth/check", status=401)


def test_a_token_of_an_older_generation_is_invalid(
    app: Client, database: Database, make_user: MakeUser
) -> None:
    user = make_user()
    client = app.as_user(user)

    with database.transaction() as session:
        session.get_one(User, user.id).generation += 1

    client.get("/api/auth/check", status=401)


def test_the_access_log_names_the_caller(app: Client, make_user: MakeUser) -> None:
    client = app.as_user(make_user("ada"))

    answer = client.get("/api/auth/check")

    assert answer.request.environ["masthead.user"] == "ada"


def test_a_public_route_ignores_a_bad_token(app: Client) -> None:
    headers = {"Authorization": "Bearer nonsense"}

    assert app.post("/api/auth/logout", headers=headers).json == {"success": True}
