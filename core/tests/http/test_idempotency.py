"""A repeated request with an Idempotency-Key has its effects once."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from sqlalchemy import func, select

from masthead.auth.models import User
from masthead.core_plugin import plugin as core
from masthead.db import Database
from masthead.hookspecs import hookimpl
from masthead.http.endpoints import Endpoint
from masthead.http.idempotency import IdempotencyKey
from masthead.http.permissions import SIGNED_IN
from masthead.http.request import Request
from masthead.plugins import Plugin
from masthead.schemas.field_types import Bool
from masthead.schemas.schema import SUCCESS, required, schema
from masthead.tags.services import create_tag
from masthead.testing import Client
from masthead.testing.accounts import PASSWORD
from masthead.testing.clock import Clock

TAGS = "/api/staff/tags"


class Shaky:
    """A plugin with an endpoint that fails after its effects, and one without effects."""

    path = "/api/staff/shaky"
    met = Barrier(1)
    """Views wait here, before their first statement."""

    @hookimpl
    def masthead_routes(self) -> list[Endpoint]:
        return [
            Endpoint(
                name="shaky.create",
                method="POST",
                path=self.path,
                view=self.create,
                permission=SIGNED_IN,
                summary="Create a tag, and fail if asked to",
                body=schema({"crashes": required(Bool())}),
                returns=SUCCESS,
            ),
            Endpoint(
                name="shaky.idle",
                method="POST",
                path="/api/staff/idle",
                view=lambda _request: {"success": True},
                permission=SIGNED_IN,
                summary="Do nothing",
                body=schema({}),
                returns=SUCCESS,
            ),
        ]

    def create(self, request: Request) -> Any:
        self.met.wait()
        create_tag(request.db, "Shaky")
        if request.data["crashes"]:
            raise RuntimeError("The process is gone")
        return {"success": True}


SHAKY = Plugin("shaky", hooks=(Shaky(),))


@pytest.fixture
def plugins() -> list[Plugin]:
    return [core, SHAKY]


KEY = "Idempotency-Key"
FIRST = {KEY: '"8e03978e-40d5-43dd-bc93-6894a57f9324"'}


@pytest.fixture
def admin(app: Client) -> Client:
    return app.as_role("admin")


def rows(database: Database) -> int:
    with database.session(read_only=True) as session:
        return session.scalar(select(func.count()).select_from(IdempotencyKey)) or 0


def test_a_repetition_gets_the_answer_of_the_first_request(admin: Client) -> None:
    first = admin.post_json(TAGS, {"name": "Water"}, headers=FIRST)
    unquoted = {KEY: FIRST[KEY].strip('"')}
    second = admin.post_json(TAGS, {"name": "Water"}, headers=unquoted)

    assert (second.json, second.headers["ETag"]) == (first.json, first.headers["ETag"])
    assert len(admin.get(TAGS).json) == 1


def test_another_body_with_the_key_is_refused(admin: Client) -> None:
    admin.post_json(TAGS, {"name": "Water"}, headers=FIRST)

    refused = admin.post_json(TAGS, {"name": "Air"}, headers=FIRST, status=400)

    [problem] = refused.json["fields"]
    assert (problem["path"], problem["code"]) == (KEY, "key_reused")
    assert [tag["name"] for tag in admin.get(TAGS).json] == ["Water"]


def test_the_order_of_members_does_not_matter(admin: Client) -> None:
    body = {"name": "Helper", "description": "Helps"}
    first = admin.post_json("/api/staff/roles", body, headers=FIRST)

    turned = dict(reversed(body.items()))
    assert admin.post_json("/api/staff/roles", turned, headers=FIRST).json == first.json


def test_keys_of_users_and_of_endpoints_are_independent(
    admin: Client, app: Client, make_user: Callable[..., User]
) -> None:
    other = app.as_user(make_user(role="admin"))
    admin.post_json(TAGS, {"name": "Water"}, headers=FIRST)

    other.post_json(TAGS, {"name": "Air"}, headers=FIRST)
    admin.post_json("/api/staff/roles", {"name": "Helper"}, headers=FIRST)

    assert len(admin.get(TAGS).json) == 2


def test_a_refused_request_can_be_sent_again(admin: Client, database: Database) -> None:
    created = admin.post_json(TAGS, {"name": "Water"}).json
    admin.post_json(TAGS, {"name": "Water"}, headers=FIRST, status=400)
    assert rows(database) == 0
    admin.delete(f"{TAGS}/{created['id']}")

    admin.post_json(TAGS, {"name": "Water"}, headers=FIRST)
    assert rows(database) == 1


@pytest.mark.parametrize("key", ['""', "a b", "x" * 256, 'a"b', "\xe9"])
def test_a_malformed_key_is_refused(admin: Client, key: str) -> None:
    refused = admin.post_json(TAGS, {"name": "Water"}, headers={KEY: key}, status=400)

    [problem] = refused.json["fields"]
    assert (problem["path"], problem["code"]) == (KEY, "wrong_form")


def test_a_key_expires(clock: Clock, admin: Client, database: Database) -> None:
    first = admin.post_json(TAGS, {"name": "Water"}, headers=FIRST).json
    admin.delete(f"{TAGS}/{first['id']}")
    clock.shift(hours=24, seconds=-1)
    kept = admin.post_json(TAGS, {"name": "Water"}, headers=FIRST).json
    clock.shift(seconds=1)
    anew = admin.post_json(TAGS, {"name": "Water"}, headers=FIRST).json

    assert kept == first
    assert anew["id"] > first["id"]
    assert rows(database) == 1


def test_the_worker_deletes_expired_keys(
    clock: Clock, admin: Client, database: Database, work: Callable[[], None]
) -> None:
    admin.post_json(TAGS, {"name": "Water"}, headers=FIRST)
    clock.shift(hours=23)
    work()
    assert rows(database) == 1

    clock.shift(hours=2)
    work()
    assert rows(database) == 0


def test_of_equal_requests_at_once_one_has_effects(
    admin: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    # All of them have found no key before one of them stores it.
    monkeypatch.setattr(Shaky, "met", Barrier(3, timeout=60))

    def create(_number: int) -> Any:
        return admin.post_json(Shaky.path, {"crashes": False}, headers=FIRST).json

    with ThreadPoolExecutor(3) as threads:
        answers = list(threads.map(create, range(3)))

    assert answers == [{"success": True}] * 3
    assert [tag["name"] for tag in admin.get(TAGS).json] == ["Shaky"]


def test_a_caller_without_the_permission_gets_no_stored_answer(
    app: Client, admin: Client, make_user: Callable[..., User]
) -> None:
    user = make_user(role="editor")
    app.as_user(user).post_json(TAGS, {"name": "Water"}, headers=FIRST)

    admin.put_json(f"/api/staff/users/{user.id}", {"roles": []})

    app.as_user(user).post_json(TAGS, {"name": "Water"}, headers=FIRST, status=403)


def test_a_deleted_user_takes_their_keys_along(
    app: Client, admin: Client, make_user: Callable[..., User], database: Database
) -> None:
    user = make_user(role="editor")
    app.as_user(user).post_json(TAGS, {"name": "Water"}, headers=FIRST)

    admin.delete(f"/api/staff/users/{user.id}")

    assert rows(database) == 0


def test_a_wrong_password_is_recorded_and_its_key_forgotten(
    admin: Client, database: Database
) -> None:
    path, body = "/api/auth/change-password", {"newPassword": "a new password"}
    wrong = {**body, "currentPassword": "a wrong one"}
    right = {**body, "currentPassword": PASSWORD}

    admin.post_json(path, wrong, headers=FIRST, status=400)
    admin.post_json(path, wrong, headers=FIRST, status=400)
    failures = [e for e in admin.get("/api/staff/audit-log").json if e["action"] == "login.failed"]
    assert rows(database) == 0
    assert failures
    admin.post_json(path, right, headers=FIRST)
    admin.post_json(path, right, headers=FIRST)

    with database.session(read_only=True) as session:
        stored = session.scalars(select(IdempotencyKey)).one()
    assert PASSWORD not in f"{stored.signature}{stored.answer}"


def test_a_crash_leaves_neither_effects_nor_a_key(admin: Client, database: Database) -> None:
    admin.post_json(Shaky.path, {"crashes": True}, headers=FIRST, status=500)
    assert rows(database) == 0
    assert admin.get(TAGS).json == []

    admin.post_json(Shaky.path, {"crashes": False}, headers=FIRST)
    admin.post_json(Shaky.path, {"crashes": False}, headers=FIRST)

    assert [tag["name"] for tag in admin.get(TAGS).json] == ["Shaky"]


def test_an_endpoint_without_statements_has_keys_too(admin: Client, database: Database) -> None:
    admin.post_json("/api/staff/idle", {}, headers=FIRST)
    admin.post_json("/api/staff/idle", {"other": 1}, headers=FIRST, status=400)

    assert rows(database) == 1
