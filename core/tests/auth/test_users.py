"""Managing users."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy.dialects import postgresql

from masthead.auth.approvers import Approver
from masthead.auth.models import Role, User
from masthead.testing.accounts import PASSWORD
from masthead.testing.client import Client
from masthead.testing.clock import Clock

pytestmark = pytest.mark.usefixtures("clock")

PATH = "/api/staff/users"
NEW = {"username": "bob", "email": "bob@example.org", "password": "a fine password"}
LAST = {"error": "The last administrator can't be removed, disabled or stripped"}
MakeUser = Callable[..., User]
Audited = Callable[[], list[tuple[str, int | None, dict[str, Any]]]]


@pytest.fixture
def root(make_user: MakeUser) -> User:
    """The only administrator."""
    return make_user("root", role="admin")


@pytest.fixture
def admin(app: Client, root: User) -> Client:
    """A client that is logged in as the only administrator."""
    return app.as_user(root)


def log_in(app: Client, username: str, password: str, status: int = 200) -> Any:
    body = {"username": username, "password": password}
    return app.post_json("/api/auth/login", body, status=status)


def test_a_new_user_is_an_editor_by_default(admin: Client) -> None:
    user = admin.post_json(PATH, NEW).json

    now = "2026-03-01T09:30:00.000Z"
    assert user == {
        "id": user["id"],
        "username": "bob",
        "email": "bob@example.org",
        "displayName": None,
        "roles": ["editor"],
        "createdAt": now,
        "updatedAt": now,
        "language": None,
        "disabled": False,
    }
    assert admin.get(f"{PATH}/{user['id']}").json == user


def test_a_new_user_gets_the_given_fields(app: Client, admin: Client) -> None:
    more = {"displayName": "Bob", "roles": ["Admin", "EDITOR", "admin"], "language": "pt-BR"}
    bob = admin.post_json(PATH, {**NEW, **more}).json
    eve = {"username": "eve", "email": "e@example.org", "roles": [], "disabled": True}
    shown = admin.post_json(PATH, {**NEW, **eve}).json

    assert (bob["displayName"], bob["language"], bob["disabled"]) == ("Bob", "pt-BR", False)
    assert sorted(bob["roles"]) == ["admin", "editor"]
    assert shown["roles"] == []
    assert shown["disabled"]
    log_in(app, "bob", "a fine password")
    log_in(app, "eve", "a fine password", status=401)


def test_null_removes_the_roles_and_enables(admin: Client) -> None:
    cleared = {"displayName": None, "roles": None, "disabled": None}
    filled = {"displayName": "Bob", "roles": ["editor"], "disabled": True}
    bob = admin.post_json(PATH, {**NEW, **filled}).json
    eve = {"username": "eve", "email": "e@example.org", **cleared}

    for shown in (
        admin.put_json(f"{PATH}/{bob['id']}", cleared).json,
        admin.post_json(PATH, {**NEW, **eve}).json,
    ):
        assert (shown["displayName"], shown["roles"], shown["disabled"]) == (None, [], False)


@pytest.mark.parametrize("field", ["username", "email", "password"])
def test_a_user_needs_name_address_and_password(admin: Client, field: str) -> None:
    body = {name: value for name, value in NEW.items() if name != field}

    assert admin.post_json(PATH, body, status=400).json["error"] == f"{field}: Required"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"password": "short"}, "password: Must have 8 to 1,024 characters"),
        ({"roles": ["editor", "wizard"]}, "roles: There is no role wizard"),
        ({"roles": "editor"}, "roles: Must be an array"),
        ({"disabled": "yes"}, "disabled: Must be true or false"),
        ({"username": "ROOT"}, "Username already exists"),
        ({"username": "USER1@example.org"}, "Username already exists"),
        ({"email": "user1@example.org"}, "Email already exists"),
        ({"email": "nonsense"}, "email: Must be an e-mail address"),
    ],
)
def test_an_invalid_user_is_refused_with_a_reason_and_not_saved(
    admin: Client, wrong: dict[str, Any], message: str
) -> None:
    answer = admin.post_json(PATH, {**NEW, **wrong}, status=400)

    assert answer.json["error"] == message
    assert [user["username"] for user in admin.get(PATH).json] == ["root"]


def test_users_are_listed_by_name_in_pages(admin: Client, make_user: MakeUser) -> None:
    for name in ("Zoe", "émile", "bob"):
        make_user(name)

    answer = admin.get(PATH, {"limit": "2", "offset": "1"})

    assert [user["username"] for user in admin.get(PATH).json] == ["bob", "émile", "root", "Zoe"]
    assert [user["username"] for user in answer.json] == ["émile", "root"]
    assert answer.headers["X-Total-Count"] == "4"


def test_only_what_is_sent_is_changed(clock: Clock, app: Client, admin: Client) -> None:
    user = admin.post_json(PATH, NEW).json
    clock.shift(minutes=1)

    changed = admin.put_json(f"{PATH}/{user['id']}", {"displayName": "Bobby"}).json

    now = "2026-03-01T09:31:00.000Z"
    assert changed == {**user, "displayName": "Bobby", "updatedAt": now}
    log_in(app, "bob", "a fine password")


def test_a_user_can_be_sent_back_as_they_were_read(admin: Client, root: User) -> None:
    for user in (admin.post_json(PATH, NEW).json, admin.get(f"{PATH}/{root.id}").json):
        assert admin.put_json(f"{PATH}/{user['id']}", user).json == user


def test_a_new_password_ends_every_token_of_the_user(app: Client, admin: Client) -> None:
    user = admin.post_json(PATH, NEW).json
    token = log_in(app, "bob", "a fine password").json["token"]

    admin.put_json(f"{PATH}/{user['id']}", {"password": "another password"})

    headers = {"Authorization": f"Bearer {token}"}
    app.get("/api/auth/check", headers=headers, status=401)
    log_in(app, "bob", "a fine password", status=401)
    log_in(app, "bob", "another password")


def test_users_who_change_their_own_password_keep_their_token(admin: Client, root: User) -> None:
    admin.put_json(f"{PATH}/{root.id}", {"password": "another password"})

    admin.get("/api/auth/check")


def test_roles_take_effect_at_once(app: Client, admin: Client, make_user: MakeUser) -> None:
    bob = make_user("bob")
    client = app.as_user(bob)
    client.get(PATH, status=403)

    admin.put_json(f"{PATH}/{bob.id}", {"roles": ["admin"]})
    client.get(PATH)
    admin.put_json(f"{PATH}/{bob.id}", {"roles": []})
    client.get(PATH, status=403)


def test_a_disabled_user_is_out_at_once_and_old_tokens_stay_ended(
    app: Client, admin: Client, make_user: MakeUser
) -> None:
    bob = make_user("bob")
    client = app.as_user(bob)

    assert admin.put_json(f"{PATH}/{bob.id}", {"disabled": True}).json["disabled"]
    client.get("/api/auth/check", status=401)
    log_in(app, "bob", PASSWORD, status=401)

    admin.put_json(f"{PATH}/{bob.id}", {"disabled": False})
    client.get("/api/auth/check", status=401)
    log_in(app, "bob", PASSWORD)


def test_a_user_without_references_is_deleted(
    app: Client, admin: Client, make_user: MakeUser
) -> None:
    bob = make_user("bob", email="bob@example.org")
    client = app.as_user(bob)

    assert admin.delete(f"{PATH}/{bob.id}").json == {"success": True}

    admin.get(f"{PATH}/{bob.id}", status=404)
    client.get("/api/auth/check", status=401)
    assert admin.post_json(PATH, NEW).json["id"] > bob.id
    client.get("/api/auth/check", status=401)


def test_a_user_with_references_is_disabled(
    app: Client, admin: Client, make_user: MakeUser, shelve: Callable[[int], None]
) -> None:
    bob = make_user("bob")
    client = app.as_user(bob)
    shelve(bob.id)

    assert admin.delete(f"{PATH}/{bob.id}").json == {"success": True}

    shown = admin.get(f"{PATH}/{bob.id}").json
    assert shown["disabled"]
    assert shown["roles"] == ["editor"]
    client.get("/api/auth/check", status=401)


def test_a_user_in_the_audit_log_is_disabled(
    app: Client, admin: Client, make_user: MakeUser
) -> None:
    other = make_user(role="admin")
    app.as_user(other).post_json(PATH, NEW)

    admin.delete(f"{PATH}/{other.id}")

    assert admin.get(f"{PATH}/{other.id}").json["disabled"]


def test_users_who_remove_themselves_are_disabled_as_the_audit_log_names_them(
    app: Client, root: User, make_user: MakeUser, audited: Audited
) -> None:
    other = make_user("other", role="admin")

    app.as_user(other).delete(f"{PATH}/{other.id}")

    assert app.as_user(root).get(f"{PATH}/{other.id}").json["disabled"]
    assert audited() == [("user.disable", other.id, {"username": "other"})]


@pytest.mark.parametrize("body", [{"roles": ["editor"]}, {"roles": []}, {"disabled": True}])
def test_the_last_admin_cannot_be_stripped_or_disabled(
    admin: Client, root: User, make_user: MakeUser, body: dict[str, Any]
) -> None:
    make_user(role="admin", disabled=True)
    before = admin.get(f"{PATH}/{root.id}").json

    assert admin.put_json(f"{PATH}/{root.id}", body, status=400).json == LAST
    assert admin.get(f"{PATH}/{root.id}").json == before


def test_the_last_admin_cannot_be_removed(
    admin: Client, root: User, shelve: Callable[[int], None]
) -> None:
    assert admin.delete(f"{PATH}/{root.id}", status=400).json == LAST
    shelve(root.id)
    assert admin.delete(f"{PATH}/{root.id}", status=400).json == LAST
    assert not admin.get(f"{PATH}/{root.id}").json["disabled"]


def test_an_admin_by_another_role_counts(
    admin: Client, root: User, make_user: MakeUser, make_role: Callable[..., Role]
) -> None:
    make_role("chief", "admin")
    make_user("chief", role="chief")

    admin.put_json(f"{PATH}/{root.id}", {"roles": []})
    admin.get(PATH, status=403)


@pytest.mark.parametrize("user_id", ["0", "99", "x", "-1", str(2**63), "1.0"])
def test_an_unknown_user_is_404(admin: Client, user_id: str) -> None:
    admin.get(f"{PATH}/{user_id}", status=404)
    admin.put_json(f"{PATH}/{user_id}", {"disabled": True}, status=404)
    admin.delete(f"{PATH}/{user_id}", status=404)


def test_changes_of_users_are_audited(
    admin: Client, root: User, audited: Audited, shelve: Callable[[int], None]
) -> None:
    path = f"{PATH}/{admin.post_json(PATH, NEW).json['id']}"
    admin.put_json(path, {"displayName": "Bob", "password": "another password"})
    admin.put_json(path, {"disabled": True})
    admin.delete(path)
    eve = admin.post_json(PATH, {**NEW, "username": "eve", "email": "e@example.org"}).json["id"]
    shelve(eve)
    admin.delete(f"{PATH}/{eve}")

    bob = {"username": "bob", "roles": ["editor"]}
    assert audited() == [
        ("user.create", root.id, bob),
        ("user.update", root.id, {**bob, "fields": ["displayName", "password"]}),
        ("user.disable", root.id, {**bob, "fields": ["disabled"]}),
        ("user.delete", root.id, {"username": "bob"}),
        ("user.create", root.id, {"username": "eve", "roles": ["editor"]}),
        ("user.disable", root.id, {"username": "eve"}),
    ]


def test_the_roles_of_a_user_are_sorted_without_regard_to_case(
    admin: Client, make_role: Callable[..., Role]
) -> None:
    for name in ("Zebra", "apple"):
        make_role(name)

    user = admin.post_json(PATH, {**NEW, "roles": ["Zebra", "apple"]}).json

    assert admin.get(f"{PATH}/{user['id']}").json["roles"] == ["apple", "Zebra"]


@pytest.mark.parametrize("column", [User.username_key, Role.name_key, Approver.content_type])
def test_names_are_sorted_by_code_point_whatever_the_locale_of_postgresql(column: Any) -> None:
    assert column.type.dialect_impl(postgresql.dialect()).collation == "C"


def test_a_display_name_is_shown(admin: Client, make_user: MakeUser) -> None:
    ada = make_user("ada", display_name="Ada L.")

    assert "Ada L." in [user["displayName"] for user in admin.get(PATH).json]
    assert admin.get(f"{PATH}/{ada.id}").json["displayName"] == "Ada L."
