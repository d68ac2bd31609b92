"""Logging in and out, failed logins, and changing the password."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import argon2
import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead.audit.models import AuditEntry
from masthead.auth import passwords
from masthead.auth.models import Role, User
from masthead.auth.services.logins import MAX_UNKNOWN, record_failure
from masthead.db import Database
from masthead.testing.accounts import PASSWORD
from masthead.testing.client import Client
from masthead.testing.clock import Clock

MakeUser = Callable[..., User]
Audited = Callable[[], list[tuple[str, int | None, dict[str, Any]]]]


def log_in(app: Client, username: str, password: str = PASSWORD, status: int = 200) -> Any:
    body = {"username": username, "password": password}
    return app.post_json("/api/auth/login", body, status=status)


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


@pytest.mark.usefixtures("clock")
def test_a_login_answers_a_token_and_the_user_with_permissions(
    app: Client, make_user: MakeUser
) -> None:
    user = make_user("Ada", role="editor", email="ada@example.org", display_name="Ada L.")

    answer = log_in(app, "Ada").json

    assert set(answer) == {"token", "expiresAt", "user"}
    assert answer["expiresAt"] == "2026-03-08T09:30:00.000Z"
    now = "2026-03-01T09:30:00.000Z"
    permissions = answer["user"].pop("permissions")
    assert answer["user"] == {
        "id": user.id,
        "username": "Ada",
        "email": "ada@example.org",
        "displayName": "Ada L.",
        "roles": ["editor"],
        "createdAt": now,
        "updatedAt": now,
        "approves": [],
    }
    assert {"shelf.read", "shelf.write"} <= set(permissions)
    assert "shelf.burn" not in permissions
    checked = app.get("/api/auth/check", headers=bearer(answer["token"])).json
    assert checked == {"user": {**answer["user"], "permissions": permissions}}


def test_approvers_learn_what_they_approve(
    app: Client, make_user: MakeUser, make_role: Callable[..., Role]
) -> None:
    role = make_role("reviewer")
    body = {"contentType": "books", "roleId": role.id}
    app.as_role("admin").post_json("/api/staff/approval-config", body)
    make_user("Ada", role="reviewer")

    answer = log_in(app, "Ada").json

    assert (answer["user"]["approves"], answer["user"]["permissions"]) == (
        ["books"],
        ["shelf.read"],
    )
    assert (
        app.get("/api/auth/check", headers=bearer(answer["token"])).json["user"] == answer["user"]
    )


@pytest.mark.parametrize(
    "name", ["Straße", "STRASSE", " strasse ", "s@EXAMPLE.org", "S@example.ORG"]
)
def test_username_and_address_match_without_regard_to_case(
    app: Client, make_user: MakeUser, name: str
) -> None:
    make_user("Straße", email="s@example.org")

    assert log_in(app, name).json["user"]["username"] == "Straße"


def test_a_username_precedes_another_user_s_address(app: Client, make_user: MakeUser) -> None:
    make_user("ada", email="shared@example.org")
    make_user("shared@example.org", email="other@example.org")

    assert log_in(app, "shared@example.org").json["user"]["email"] == "other@example.org"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({}, "username: Required"),
        ({"username": "ada"}, "password: Required"),
        ({"password": "x"}, "username: Required"),
        ({"username": "", "password": "x"}, "username: Required"),
        ({"username": "ada", "password": ""}, "password: Required"),
        ({"username": 7, "password": "x"}, "username: Must be a string"),
        ({"username": "ada", "password": None}, "password: Required"),
    ],
)
def test_a_login_that_lacks_a_field_is_400(app: Client, body: Any, message: str) -> None:
    answer = app.post_json("/api/auth/login", body, status=400)

    assert message in answer.json["error"]


@pytest.mark.parametrize("name", ["x" * 201, "a\0b", "a\x07b", "ﷺ" * 200])
def test_an_impossible_name_is_refused_like_an_unknown_one(
    app: Client, make_user: MakeUser, name: str
) -> None:
    make_user("ada")

    assert log_in(app, name, status=401).json == {"error": "Invalid credentials"}


def test_the_answers_to_unknown_disabled_and_wrong_are_equal(
    app: Client, make_user: MakeUser
) -> None:
    make_user("ada")
    make_user("bob", disabled=True)

    answers = [
        log_in(app, "nobody", status=401),
        log_in(app, "bob", status=401),
        log_in(app, "ada", "not her password", status=401),
    ]

    assert {answer.text for answer in answers} == {'{"error":"Invalid credentials"}'}


@pytest.fixture
def hashings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The password hashings during the test."""
    found: list[str] = []
    real = argon2.PasswordHasher.verify, argon2.PasswordHasher.hash

    def verify(self: Any, stored: str, secret: str) -> Any:
        found.append("verify")
        return real[0](self, stored, secret)

    def hash(self: Any, secret: str, **options: Any) -> Any:  # noqa: A001 - the name it replaces
        found.append("hash")
        return real[1](self, secret, **options)

    monkeypatch.setattr(argon2.PasswordHasher, "verify", verify)
    monkeypatch.setattr(argon2.PasswordHasher, "hash", hash)
    return found


def test_each_failing_login_costs_one_hashing(
    app: Client, database: Database, make_user: MakeUser, hashings: list[str]
) -> None:
    make_user("bare")
    make_user("disabled", disabled=True)
    hashed = make_user("hashed")
    with database.transaction() as session:
        session.get_one(User, hashed.id).password = passwords.hash_password(PASSWORD)
    hashings.clear()

    for name, password in [
        ("nobody", PASSWORD),
        ("bare", "wrong password"),
        ("disabled", PASSWORD),
        ("disabled", "wrong password"),
        ("hashed", "wrong password"),
    ]:
        log_in(app, name, password, status=401)
        assert hashings == ["verify"], name
        hashings.clear()


def test_a_bare_digest_is_hashed_at_the_first_login(
    app: Client, session: Session, make_user: MakeUser, hashings: list[str]
) -> None:
    user = make_user("ada")
    assert len(user.password) == 64

    log_in(app, "ada")
    hashed = session.get_one(User, user.id).password
    hashings.clear()
    log_in(app, "ada")

    assert hashed.startswith("$argon2id$")
    assert passwords.verify(hashed, PASSWORD)
    assert session.get_one(User, user.id).password == hashed
    assert hashings[0] == "verify"
    assert "hash" not in hashings


def test_failed_logins_are_audited_once_per_name_and_minute_with_their_count(
    clock: Clock, app: Client, make_user: MakeUser, audited: Audited
) -> None:
    make_user("Ada", email="ada@example.org")

    for name in ("Ada", "ADA", "ada@example.org", "nobody", "NOBODY", "no one"):
        log_in(app, name, "wrong password", status=401)
    clock.shift(minutes=1)
    log_in(app, "Ada", "wrong password", status=401)
    log_in(app, "Ada")

    entries = [(action, detail["name"], detail["count"]) for action, _, detail in audited()]
    assert entries == [
        ("login.failed", "Ada", 3),
        ("login.failed", None, 2),
        ("login.failed", None, 1),
        ("login.failed", "Ada", 1),
    ]


@pytest.mark.usefixtures("clock")
def test_the_audit_log_distinguishes_unknown_names_without_revealing_them(
    app: Client, audited: Audited
) -> None:
    for name in ("hunter2-hunter2", "Hunter2-hunter2", "correct horse"):
        log_in(app, name, "wrong password", status=401)

    details = [detail for _, _, detail in audited()]
    assert [detail["count"] for detail in details] == [2, 1]
    assert details[0]["fingerprint"] != details[1]["fingerprint"]
    assert "hunter2" not in str(details).casefold()


@pytest.mark.usefixtures("clock")
def test_unknown_names_cannot_fill_the_audit_log(database: Database) -> None:
    with database.transaction() as session:
        for number in range(2 * MAX_UNKNOWN):
            record_failure(session, None, f"{number:016x}")
        record_failure(session, None, f"{0:016x}")

        entries = session.scalars(select(AuditEntry).order_by(AuditEntry.id))
        counts = [entry.detail["count"] for entry in entries]

    assert counts == [2, *[1] * (MAX_UNKNOWN - 1), MAX_UNKNOWN]


def test_logins_are_not_throttled_by_default(app: Client, make_user: MakeUser) -> None:
    make_user("ada")

    for _ in range(30):
        log_in(app, "ada", "wrong password", status=401)

    log_in(app, "ada")


def test_logging_out_needs_no_token_and_ends_none(app: Client, make_user: MakeUser) -> None:
    client = app.as_user(make_user())

    assert client.post("/api/auth/logout").json == {"success": True}
    assert app.post("/api/auth/logout", "not JSON").json == {"success": True}
    client.get("/api/auth/check")


def test_check_shows_later_changes(app: Client, database: Database, make_user: MakeUser) -> None:
    user = make_user("ada")
    client = app.as_user(user)
    client.get("/api/auth/check")

    with database.transaction() as session:
        session.get_one(User, user.id).display_name = "Ada"

    assert client.get("/api/auth/check").json["user"]["displayName"] == "Ada"


@pytest.fixture
def tokens(app: Client, make_user: MakeUser) -> tuple[str, str]:
    """Two tokens of the user ada."""
    make_user("ada")
    return log_in(app, "ada").json["token"], log_in(app, "ada").json["token"]


def change(app: Client, token: str, current: str, new: str, status: int = 200) -> Any:
    body = {"currentPassword": current, "newPassword": new}
    path = "/api/auth/change-password"
    return app.post_json(path, body, headers=bearer(token), status=status).json


def test_only_the_new_password_logs_in_after_a_change(
    app: Client, tokens: tuple[str, str], session: Session
) -> None:
    assert change(app, tokens[0], PASSWORD, "another password") == {"success": True}

    log_in(app, "ada", PASSWORD, status=401)
    user = log_in(app, "ada", "another password").json["user"]
    assert session.get_one(User, user["id"]).password.startswith("$argon2id$")


def test_a_changed_password_ends_every_token_but_the_one_that_changed_it(
    app: Client, tokens: tuple[str, str]
) -> None:
    mine, other = tokens

    change(app, mine, PASSWORD, "another password")

    app.get("/api/auth/check", headers=bearer(other), status=401)
    app.get("/api/auth/check", headers=bearer(mine))
    change(app, mine, "another password", "a third password")
    app.get("/api/auth/check", headers=bearer(mine))


def test_a_kept_token_ends_with_the_next_change_by_another_token(
    app: Client, tokens: tuple[str, str]
) -> None:
    change(app, tokens[0], PASSWORD, "another password")
    later = log_in(app, "ada", "another password").json["token"]

    change(app, later, "another password", "a third password")

    app.get("/api/auth/check", headers=bearer(tokens[0]), status=401)
    app.get("/api/auth/check", headers=bearer(later))


def test_the_current_password_has_to_be_right(app: Client, tokens: tuple[str, str]) -> None:
    answer = change(app, tokens[0], "wrong password", "another password", 400)

    assert answer["error"] == "Current password is incorrect"
    app.get("/api/auth/check", headers=bearer(tokens[1]))
    log_in(app, "ada")


@pytest.mark.parametrize("password", ["seven77", "x" * 1025, "ß" * 7])
def test_a_new_password_has_8_to_1024_characters(
    app: Client, tokens: tuple[str, str], password: str
) -> None:
    answer = change(app, tokens[0], PASSWORD, password, 400)

    assert answer["error"] == "newPassword: Must have 8 to 1,024 characters"


@pytest.mark.parametrize("password", ["ß" * 8, "€" * 1024, "  blanks  ", "a\x00b\x07cdef"])
def test_a_password_is_taken_as_it_is_sent(
    app: Client, tokens: tuple[str, str], session: Session, password: str
) -> None:
    change(app, tokens[0], PASSWORD, password)

    user = log_in(app, "ada", password).json["user"]
    stored = session.get_one(User, user["id"]).password
    digest = hashlib.sha256(password.encode()).hexdigest()
    assert argon2.PasswordHasher().verify(stored, digest)
    log_in(app, "ada", password.strip() + "x", status=401)


def test_changing_a_password_needs_a_token_and_both_fields(
    app: Client, tokens: tuple[str, str]
) -> None:
    path = "/api/auth/change-password"

    app.post_json(path, {}, status=401)
    answer = app.post_json(path, {}, headers=bearer(tokens[0]), status=400)

    assert "currentPassword: Required" in answer.json["error"]
    assert "newPassword: Required" in answer.json["error"]


def test_no_secret_is_audited(app: Client, tokens: tuple[str, str], audited: Audited) -> None:
    change(app, tokens[0], PASSWORD, "another password")

    assert audited()[-1][2] == {"username": "ada", "fields": ["password"], "roles": ["editor"]}
    assert "password" not in str(audited()).replace("['password']", "")
