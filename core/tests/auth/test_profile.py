"""The caller's own profile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import event, update

from masthead.auth.models import User
from masthead.db import Database
from masthead.testing.accounts import PASSWORD
from masthead.testing.client import Client
from masthead.testing.clock import Clock

pytestmark = pytest.mark.usefixtures("clock")

PATH = "/api/staff/profile"
Audited = Callable[[], list[tuple[str, int | None, dict[str, Any]]]]


@pytest.fixture
def ada(app: Client, make_user: Callable[..., User]) -> Client:
    """A client that is logged in as ada."""
    return app.as_user(make_user("ada", email="ada@example.org", display_name="Ada"))


def log_in(app: Client, username: str, password: str, status: int = 200) -> Any:
    body = {"username": username, "password": password}
    return app.post_json("/api/auth/login", body, status=status)


def test_the_profile_shows_exactly_the_documented_fields(ada: Client) -> None:
    profile = ada.get(PATH).json

    assert list(profile) == [
        "id",
        "username",
        "email",
        "displayName",
        "roles",
        "createdAt",
        "updatedAt",
        "language",
    ]
    assert profile["username"] == "ada"
    assert profile["roles"] == ["editor"]


def test_the_profile_needs_a_token(app: Client) -> None:
    assert app.get(PATH, status=401).json == {"error": "Unauthorized"}
    assert app.put_json(PATH, {}, status=401).json == {"error": "Unauthorized"}


def test_only_what_is_sent_is_changed(clock: Clock, ada: Client) -> None:
    before = ada.get(PATH).json
    clock.shift(seconds=5)

    assert ada.put_json(PATH, {"displayName": "Countess"}).json == {"success": True}

    changed = {"displayName": "Countess", "updatedAt": "2026-03-01T09:30:05.000Z"}
    assert ada.get(PATH).json == {**before, **changed}


def test_the_language_is_a_tag_in_its_usual_form(ada: Client) -> None:
    for sent, stored in (("de", "de"), (" pt_br ", "pt-BR"), ("ZH-hant-tw", "zh-Hant-TW")):
        ada.put_json(PATH, {"language": sent})
        assert ada.get(PATH).json["language"] == stored
    for wrong in ("German", "d", "de\nBcc: x", "de/../x", 7, "{{language}}", "de-" + "a" * 40):
        ada.put_json(PATH, {"language": wrong}, status=400)
    assert ada.get(PATH).json["language"] == "zh-Hant-TW"
    ada.put_json(PATH, {"language": None})
    assert ada.get(PATH).json["language"] is None


def test_a_new_username_and_address_log_in_at_once(ada: Client, app: Client) -> None:
    body = {"username": "Lovelace", "email": " Countess@Example.org "}
    ada.put_json(PATH, {**body, "currentPassword": PASSWORD})

    assert ada.get(PATH).json["email"] == "countess@example.org"
    log_in(app, "lovelace", PASSWORD)
    log_in(app, "countess@example.org", PASSWORD)
    log_in(app, "ada", PASSWORD, status=401)


def test_a_profile_can_be_sent_back_as_it_was_read(ada: Client) -> None:
    before = ada.get(PATH).json

    ada.put_json(PATH, before)

    assert ada.get(PATH).json == before


@pytest.mark.parametrize("name", ["bob", "BOB", " bob ", "ｂｏｂ", "b@example.org"])
def test_a_username_is_taken_where_it_is_anyone_s_login_name(
    ada: Client, make_user: Callable[..., User], name: str
) -> None:
    make_user("bob", email="b@example.org")

    answer = ada.put_json(PATH, {"username": name, "displayName": "x"}, status=400)

    assert answer.json["error"] == "Username already exists"
    assert ada.get(PATH).json["displayName"] == "Ada"


@pytest.mark.parametrize("email", ["b@example.org", "B@EXAMPLE.ORG", "name@example.org"])
def test_an_address_is_taken_where_it_is_anyone_s_login_name(
    ada: Client, make_user: Callable[..., User], email: str
) -> None:
    make_user("bob", email="b@example.org")
    make_user("name@example.org", email="c@example.org")

    body = {"email": email, "currentPassword": PASSWORD}
    answer = ada.put_json(PATH, body, status=400)

    assert answer.json["error"] == "Email already exists"


def test_the_caller_s_own_names_are_not_taken(ada: Client) -> None:
    ada.put_json(PATH, {"username": "ADA", "email": "ADA@example.org"})
    ada.put_json(PATH, {"username": "ada@example.org"})

    assert ada.get(PATH).json["username"] == "ada@example.org"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"username": ""}, "username: Required"),
        ({"username": None}, "username: Required"),
        ({"username": "a\x00b"}, "username: Must not contain control characters"),
        ({"username": "x" * 201}, "username: At most 200 characters"),
        ({"username": "ﷺ" * 30}, "username: At most 200 characters"),
        ({"email": None}, "email: Required"),
        ({"email": ""}, "email: Required"),
        ({"email": "ada"}, "email: Must be an e-mail address"),
        ({"password": "short", "currentPassword": PASSWORD}, "password: Must have 8 to 1,024"),
    ],
)
def test_a_wrong_field_is_named(ada: Client, body: Any, message: str) -> None:
    assert message in ada.put_json(PATH, body, status=400).json["error"]


def test_null_clears_the_display_name(ada: Client) -> None:
    ada.put_json(PATH, {"displayName": None})

    assert ada.get(PATH).json["displayName"] is None


def test_a_new_password_needs_the_current_one(ada: Client, app: Client) -> None:
    body = {"password": "another password", "displayName": "x"}

    answer = ada.put_json(PATH, body, status=400)
    assert answer.json["error"] == "Current password is required to change password"

    answer = ada.put_json(PATH, {**body, "currentPassword": "wrong"}, status=400)
    assert answer.json["error"] == "Current password is incorrect"

    assert ada.get(PATH).json["displayName"] == "Ada"
    log_in(app, "ada", PASSWORD)


def test_a_new_address_needs_the_current_password(ada: Client, app: Client) -> None:
    body = {"email": "mallory@example.org", "displayName": "x"}

    missing = ada.put_json(PATH, body, status=400)
    wrong = ada.put_json(PATH, {**body, "currentPassword": "wrong"}, status=400)

    assert missing.json["error"] == "Current password is required to change email"
    assert wrong.json["error"] == "Current password is incorrect"
    assert ada.get(PATH).json["displayName"] == "Ada"
    log_in(app, "mallory@example.org", PASSWORD, status=401)
    ada.put_json(PATH, {**body, "currentPassword": PASSWORD})
    log_in(app, "mallory@example.org", PASSWORD)


def test_a_first_address_needs_the_current_password_too(
    app: Client, make_user: Callable[..., User], database: Database
) -> None:
    bob = make_user("bob")
    with database.transaction() as session:
        session.execute(update(User).where(User.id == bob.id).values(email=None, email_key=None))
    client, body = app.as_user(bob), {"email": "bob@example.org"}

    client.put_json(PATH, body, status=400)
    client.put_json(PATH, {**body, "currentPassword": PASSWORD})


def test_a_new_password_ends_every_other_token(ada: Client, app: Client) -> None:
    other = log_in(app, "ada", PASSWORD).json["token"]

    ada.put_json(PATH, {"password": "another password", "currentPassword": PASSWORD})

    ada.get(PATH)
    app.get(PATH, headers={"Authorization": f"Bearer {other}"}, status=401)
    log_in(app, "ada", "another password")


def test_a_current_password_alone_changes_nothing(ada: Client) -> None:
    before = ada.get(PATH).json

    ada.put_json(PATH, {"currentPassword": "whatever"})

    assert ada.get(PATH).json == before


def test_a_change_of_the_profile_is_audited(ada: Client, audited: Audited) -> None:
    user_id = ada.get(PATH).json["id"]

    body = {"displayName": "x", "email": "a@example.org", "currentPassword": PASSWORD}
    ada.put_json(PATH, body)

    action, actor, detail = audited()[-1]
    assert (action, actor) == ("user.update", user_id)
    assert detail["fields"] == ["displayName", "email"]


def test_an_internal_error_has_the_documented_message(ada: Client, database: Database) -> None:
    def fail(*_arguments: Any) -> None:
        raise RuntimeError("no connection")

    event.listen(database._reader, "checkout", fail)
    try:
        read = ada.get(PATH, status=500)
        written = ada.put_json(PATH, {"displayName": "x"}, status=500)
        other = ada.get("/api/auth/check", status=500)
    finally:
        event.remove(database._reader, "checkout", fail)

    assert read.json == {"error": "Failed to get profile"}
    assert written.json == {"error": "Failed to update profile"}
    assert other.json["error"].startswith("Internal server error")
