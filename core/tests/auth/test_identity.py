"""Plugins that identify callers, ask for a second step, and issue login tokens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead import (
    LOGGED_IN,
    LOGIN_CODE,
    PUBLIC,
    SIGNED_IN,
    SUCCESS,
    Caller,
    Endpoint,
    Int,
    Login,
    Password,
    Plugin,
    Request,
    SecondStep,
    TooMany,
    Unauthenticated,
    User,
    caller_of_user,
    end_tokens,
    hookimpl,
    issue_token,
    required,
    revoke_credentials,
    schema,
    verify_own_login,
)
from masthead.audit.models import AuditEntry
from masthead.core_plugin import plugin as core
from masthead.db import Database
from masthead.testing.accounts import PASSWORD
from masthead.testing.client import Client

MakeUser = Callable[..., User]


class Hooks:
    """Identifies by the cookie ``badge``, and asks users of the role ``careful`` for a code."""

    @hookimpl
    def masthead_identify(self, request: Request) -> Caller | None:
        badge = request.cookies.get("badge")
        if badge is None:
            return None
        user_id, _, limit = badge.partition("/")
        if not user_id.isdigit():
            raise Unauthenticated("Unknown badge")
        if not limit:
            return caller_of_user(request, int(user_id))
        return caller_of_user(request, int(user_id), permissions=[limit], credential="Gate")

    @hookimpl
    def masthead_login(self, session: Session, login: Login) -> SecondStep | None:
        if "careful" not in login.roles:
            return None
        if login.code is None:
            return SecondStep("gate", "Which plant?", token=f"{login.method} {login.address}")
        if login.code == "again":
            raise TooMany("Too many plants", 7)
        if login.code != "rose":
            session.add(AuditEntry(action="gate.wrong", detail={}))
            raise Unauthenticated("Wrong plant")
        return None

    @hookimpl
    def masthead_revoke_credentials(self, session: Session, user_id: int) -> None:
        session.add(AuditEntry(action="gate.revoked", content_id=user_id, detail={}))

    @hookimpl
    def masthead_routes(self) -> list[Endpoint]:
        body = schema({"user": required(Int(1))})
        common: Any = {"method": "POST", "returns": LOGGED_IN, "summary": "Gate"}
        return [
            Endpoint(
                name="gate.enter",
                path="/api/gate/enter",
                view=lambda request: issue_token(request, request.data["user"], "gate"),
                permission=PUBLIC,
                body=body,
                refuses=frozenset({401}),
                **common,
            ),
            Endpoint(
                name="gate.leave",
                path="/api/gate/leave",
                view=leave,
                permission=SIGNED_IN,
                needs_login=True,
                **{**common, "returns": SUCCESS},
            ),
            Endpoint(
                name="gate.prove",
                path="/api/gate/prove",
                view=prove,
                permission=SIGNED_IN,
                needs_login=True,
                body=schema({"password": required(Password()), "code": LOGIN_CODE}),
                refuses=frozenset({404, 429}),
                pool="passwords",
                **{**common, "returns": SUCCESS},
            ),
        ]


def leave(request: Request) -> Any:
    end_tokens(request.db, request.identity.id)
    return {"success": True}


def prove(request: Request) -> Any:
    verify_own_login(request, request.data["password"], request.data.get("code"))
    return {"success": True}


@pytest.fixture
def plugins() -> list[Plugin]:
    return [core, Plugin(name="gate", hooks=(Hooks(),))]


@pytest.fixture
def settings() -> dict[str, str]:
    return {"masthead.auth.throttle": "3"}


def with_badge(badge: Any) -> dict[str, str]:
    return {"Cookie": f"badge={badge}"}


def log_in(app: Client, user: User, status: int = 200, **code: str) -> Any:
    body = {"username": user.username, "password": PASSWORD, **code}
    return app.post_json("/api/auth/login", body, status=status)


def actions(database: Database) -> list[str]:
    with database.session(read_only=True) as session:
        return list(session.scalars(select(AuditEntry.action).order_by(AuditEntry.id)))


def test_hook_identify_is_asked_before_login_tokens(app: Client, make_user: MakeUser) -> None:
    ada, grace = make_user("ada", role="admin"), make_user("grace")

    by_badge = app.as_user(grace).get("/api/auth/check", headers=with_badge(ada.id))
    by_token = app.as_user(grace).get("/api/auth/check")

    assert by_badge.json["user"]["username"] == "ada"
    assert by_token.json["user"]["username"] == "grace"
    unknown = app.get("/api/auth/check", headers=with_badge("x"), status=401)
    assert unknown.json == {"error": "Unknown badge"}


def test_a_disabled_user_is_not_identified(app: Client, make_user: MakeUser) -> None:
    ada = make_user(disabled=True)

    app.get("/api/auth/check", headers=with_badge(ada.id), status=401)


def test_a_credential_has_at_most_the_powers_of_its_user(app: Client, make_user: MakeUser) -> None:
    ada, grace = make_user(role="admin"), make_user(role="editor")

    def powers(user: User, permission: str) -> tuple[list[str], list[str]]:
        badge = with_badge(f"{user.id}/{permission}")
        found = app.get("/api/auth/check", headers=badge).json["user"]
        return found["permissions"], found["approves"]

    assert powers(ada, "tags.read") == (["tags.read"], [])
    assert powers(grace, "admin") == ([], [])
    assert "tags.write" in powers(ada, "admin")[0]


def test_a_credential_gives_nobody_access(app: Client, make_user: MakeUser) -> None:
    ada = make_user(role="admin")
    badge = with_badge(f"{ada.id}/admin")

    app.get("/api/staff/users", headers=badge)
    refused = app.post("/api/gate/leave", headers=badge, status=403)
    app.put_json(f"/api/staff/users/{ada.id}", {"roles": []}, headers=badge, status=403)

    assert "logged in" in refused.json["error"]


def test_hook_login_may_ask_for_a_second_step(
    app: Client, make_user: MakeUser, make_role: Any
) -> None:
    make_role("careful")
    ada = make_user(roles=("careful",))

    lacking = log_in(app, ada, status=401).json

    assert lacking == {
        "error": "Which plant?",
        "code": "second_step_required",
        "step": "gate",
        "stepToken": "password 127.0.0.1",
    }
    assert log_in(app, ada, code="rose").json["user"]["id"] == ada.id
    assert log_in(app, make_user()).json["token"]


def test_a_wrong_code_is_recorded_and_throttled_like_a_wrong_password(
    app: Client, database: Database, make_user: MakeUser, make_role: Any
) -> None:
    make_role("careful")
    ada = make_user(roles=("careful",))

    assert log_in(app, ada, status=401, code="oak").json == {"error": "Wrong plant"}
    assert actions(database)[-2:] == ["gate.wrong", "login.failed"]
    assert log_in(app, ada, status=429, code="again").headers["Retry-After"] == "7"
    for _ in range(2):
        log_in(app, ada, status=401, code="oak")
    assert log_in(app, ada, status=429, code="rose").json["error"] == "Too many failed logins"


def test_a_plugin_issues_login_tokens(
    app: Client, database: Database, make_user: MakeUser, make_role: Any
) -> None:
    make_role("careful")
    ada, grace = make_user(), make_user(roles=("careful",))

    answer = app.post_json("/api/gate/enter", {"user": ada.id}).json
    lacking = app.post_json("/api/gate/enter", {"user": grace.id}, status=401).json

    assert lacking["stepToken"] == "gate 127.0.0.1"
    bearer = {"Authorization": f"Bearer {answer['token']}"}
    assert app.get("/api/auth/check", headers=bearer).json["user"] == answer["user"]
    app.post("/api/gate/leave", headers=bearer)
    app.get("/api/auth/check", headers=bearer, status=401)
    assert actions(database)[-1] == "user.end-tokens"


def test_a_proof_is_as_strong_as_a_login(
    app: Client, database: Database, make_user: MakeUser, make_role: Any
) -> None:
    make_role("careful")
    grace = app.as_user(make_user(roles=("careful",)))

    def prove_by(status: int, **body: str) -> Any:
        return grace.post_json("/api/gate/prove", {"password": PASSWORD, **body}, status=status)

    lacking = prove_by(400).json
    assert (lacking["code"], lacking["step"]) == ("second_step_required", "gate")
    assert lacking["stepToken"] == "password 127.0.0.1"
    assert [each["path"] for each in lacking["fields"]] == ["code"]
    assert prove_by(400, code="oak").json == {"error": "Wrong plant"}
    assert actions(database)[-2:] == ["gate.wrong", "login.failed"]
    wrong = prove_by(400, password="a wrong one", code="rose").json
    assert wrong["fields"][0]["code"] == "wrong_password"
    assert prove_by(429, code="again").headers["Retry-After"] == "7"
    prove_by(200, code="rose")
    app.as_user(make_user()).post_json("/api/gate/prove", {"password": PASSWORD})


def test_hook_revoke_credentials_is_called_beside_the_end_of_password_and_tokens(
    app: Client, database: Database, make_user: MakeUser
) -> None:
    ada, grace = make_user(), make_user()
    client, other = app.as_user(ada), app.as_user(grace)

    with database.transaction() as session:
        revoke_credentials(session, ada.id)

    assert actions(database) == ["user.end-tokens", "gate.revoked"]
    client.get("/api/auth/check", status=401)
    log_in(app, ada, status=401)
    other.get("/api/auth/check")
    log_in(app, grace)


def test_live_events_are_for_callers_of_plugins_too(app: Client, make_user: MakeUser) -> None:
    path, user = "/api/staff/live-events", make_user()

    assert "event: notifications" in app.get(path, headers=with_badge(user.id)).text
    app.get(path, headers=with_badge("x"), status=401)
