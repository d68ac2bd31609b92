"""Managing roles."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead.auth.approvers import Approver
from masthead.auth.models import Role, RolePermission, User
from masthead.auth.tokens import SECRETS
from masthead.db import Database
from masthead.instance import Instance, open_instance
from masthead.plugins import Plugin
from masthead.testing.client import Client
from masthead.web.app import app_of

PATH = "/api/staff/roles"
NEW = {"name": "Librarian", "description": "Reads.", "permissions": ["shelf.write", "shelf.read"]}
LAST = {"error": "The last administrator can't be removed, disabled or stripped"}
Audited = Callable[[], list[tuple[str, int | None, dict[str, Any]]]]


@pytest.fixture
def root(make_user: Callable[..., User]) -> User:
    """The only administrator."""
    return make_user("root", role="admin")


@pytest.fixture
def admin(app: Client, root: User) -> Client:
    """A client that is logged in as the only administrator."""
    return app.as_user(root)


def named(admin: Client, name: str) -> dict[str, Any]:
    return next(role for role in admin.get(PATH).json if role["name"] == name)


def test_null_removes_the_permissions_of_a_role(admin: Client) -> None:
    role = admin.post_json(PATH, NEW).json

    cleared = admin.put_json(f"{PATH}/{role['id']}", {"description": None, "permissions": None})

    assert (cleared.json["description"], cleared.json["permissions"]) == (None, [])


def test_a_role_is_created_with_sorted_permissions(admin: Client) -> None:
    role = admin.post_json(PATH, NEW).json

    assert role == {
        "id": role["id"],
        "name": "Librarian",
        "description": "Reads.",
        "permissions": ["shelf.read", "shelf.write"],
        "builtIn": False,
    }
    assert named(admin, "Librarian") == role


def test_a_role_needs_a_name_only(admin: Client) -> None:
    role = admin.post_json(PATH, {"name": "x"}).json

    assert role["description"] is None
    assert role["permissions"] == []
    assert admin.post_json(PATH, {}, status=400).json["error"] == "name: Required"


def test_the_built_in_roles_are_listed_with_the_others_by_name(
    admin: Client, make_role: Callable[..., Role]
) -> None:
    make_role("Chief")

    answer = admin.get(PATH, {"limit": "2"})

    assert [role["name"] for role in admin.get(PATH).json] == ["admin", "Chief", "editor"]
    assert [role["name"] for role in answer.json] == ["admin", "Chief"]
    assert answer.headers["X-Total-Count"] == "3"
    assert named(admin, "admin")["permissions"] == ["admin"]
    assert named(admin, "admin")["builtIn"]
    assert {"shelf.read", "shelf.write"} <= set(named(admin, "editor")["permissions"])
    assert "shelf.burn" not in named(admin, "editor")["permissions"]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"permissions": ["shelf.raed"]}, "permissions: There is no permission shelf.raed"),
        ({"permissions": "shelf.read"}, "permissions: Must be an array"),
        ({"name": "EDITOR"}, "Role already exists"),
        ({"name": "ﷺ" * 30}, "name: At most 200 characters"),
    ],
)
def test_an_invalid_role_is_refused_with_a_reason(
    admin: Client, wrong: dict[str, Any], message: str
) -> None:
    assert admin.post_json(PATH, {**NEW, **wrong}, status=400).json["error"] == message
    role = admin.post_json(PATH, NEW).json
    assert admin.put_json(f"{PATH}/{role['id']}", wrong, status=400).json["error"] == message
    assert named(admin, "Librarian") == role


def test_only_what_is_sent_is_changed(admin: Client) -> None:
    role = admin.post_json(PATH, NEW).json
    path = f"{PATH}/{role['id']}"

    assert admin.put_json(path, {"name": "LIBRARIAN"}).json == {**role, "name": "LIBRARIAN"}
    changed = admin.put_json(path, {"description": None, "permissions": ["shelf.burn"]}).json
    assert changed["permissions"] == ["shelf.burn"]
    assert changed["description"] is None


def test_a_role_s_permissions_take_effect_at_once(
    app: Client, admin: Client, make_user: Callable[..., User]
) -> None:
    role = admin.post_json(PATH, NEW).json
    client = app.as_user(make_user(role="librarian"))

    admin.put_json(f"{PATH}/{role['id']}", {"permissions": ["shelf.burn"]})

    assert client.get("/api/auth/check").json["user"]["permissions"] == ["shelf.burn"]


def test_a_built_in_role_changes_its_permissions_but_not_its_name(admin: Client) -> None:
    editor = named(admin, "editor")
    path = f"{PATH}/{editor['id']}"

    assert admin.put_json(path, {**editor, "permissions": []}).json["permissions"] == []
    for name in ("redactor", "Editor"):
        answer = admin.put_json(path, {"name": name}, status=400)
        assert answer.json["error"] == "A built-in role can't be renamed"
    answer = admin.delete(path, status=400)
    assert answer.json == {"error": "A built-in role can't be deleted"}


def test_a_role_that_users_hold_is_not_deleted(
    admin: Client, make_user: Callable[..., User]
) -> None:
    path = f"{PATH}/{admin.post_json(PATH, NEW).json['id']}"

    make_user(role="librarian")
    answer = admin.delete(path, status=400)
    assert answer.json == {"error": "The role is held by 1 user"}
    make_user(role="librarian", disabled=True)
    answer = admin.delete(path, status=400)
    assert answer.json == {"error": "The role is held by 2 users"}


def test_deleting_a_role_deletes_its_approval_configuration(
    admin: Client, database: Database, session: Session
) -> None:
    role = admin.post_json(PATH, NEW).json
    with database.transaction() as writing:
        writing.add(Approver(content_type="books", role_id=role["id"]))

    assert admin.delete(f"{PATH}/{role['id']}").json == {"success": True}

    assert admin.delete(f"{PATH}/{role['id']}", status=404).json == {"error": "Role not found"}
    assert not session.scalars(select(Approver).where(Approver.role_id == role["id"])).all()
    left = select(RolePermission).where(RolePermission.role_id == role["id"])
    assert not session.scalars(left).all()


def test_the_last_admin_is_not_stripped_by_a_change_of_their_role(
    admin: Client, make_user: Callable[..., User], make_role: Callable[..., Role]
) -> None:
    path = f"{PATH}/{named(admin, 'admin')['id']}"

    assert admin.put_json(path, {"permissions": ["shelf.read"]}, status=400).json == LAST
    make_role("chief", "admin")
    make_user(role="chief")
    assert admin.put_json(path, {"permissions": ["shelf.read"]}).json["permissions"] == [
        "shelf.read"
    ]


def test_permissions_of_a_disabled_plugin_are_hidden_kept_and_accepted(
    app: Client,
    admin: Client,
    database_url: str,
    without_shelf: Mapping[str, Plugin],
    instance: Instance,
) -> None:
    role = admin.post_json(PATH, {**NEW, "permissions": ["shelf.read", "tags.read"]}).json
    secret = " ".join(instance.settings[SECRETS])
    ini = {"masthead.database.url": database_url, "masthead.auth.secrets": secret}
    later = open_instance(ini, {}, without_shelf)
    client = Client(app_of(later), app._accounts, app._checker)
    client.authorization = admin.authorization
    path = f"{PATH}/{role['id']}"

    assert named(client, "Librarian")["permissions"] == ["tags.read"]
    changed = client.put_json(path, {"permissions": ["tags.write", "shelf.write"]}).json
    later.close()

    assert changed["permissions"] == ["tags.write"]
    shown = ["shelf.read", "shelf.write", "tags.write"]
    assert named(admin, "Librarian")["permissions"] == shown


def test_an_unknown_role_is_404(admin: Client) -> None:
    admin.put_json(f"{PATH}/99", {}, status=404)
    admin.delete(f"{PATH}/99", status=404)


def test_changes_of_roles_are_audited(admin: Client, root: User, audited: Audited) -> None:
    path = f"{PATH}/{admin.post_json(PATH, NEW).json['id']}"
    admin.put_json(path, {"permissions": ["shelf.burn"]})
    admin.delete(path)

    both, burn = ["shelf.read", "shelf.write"], ["shelf.burn"]
    assert audited() == [
        ("role.create", root.id, {"name": "Librarian", "permissions": both}),
        ("role.update", root.id, {"name": "Librarian", "permissions": burn}),
        ("role.delete", root.id, {"name": "Librarian", "permissions": burn}),
    ]
