"""API tokens: their form, their powers, and their end."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select, update
from sqlalchemy.orm import DeclarativeBase

from masthead import (
    ContentItem,
    ContentType,
    Instance,
    Plugin,
    User,
    hookimpl,
    plugin_metadata,
    revoke_credentials,
    utcnow,
)
from masthead.testing import Client, Clock, Desk
from masthead_apitokens.models import ApiToken
from masthead_apitokens.plugin import masthead_restored
from masthead_apitokens.plugin import plugin as apitokens
from masthead_apitokens.services import delete_expired
from masthead_apitokens.token_texts import digest_of, is_token, new_token

TOKENS = "/api/staff/api-tokens"


class Base(DeclarativeBase):
    metadata = plugin_metadata("harbour")


class Ship(ContentItem, Base):
    __tablename__ = "harbour_ship"


SHIPS = ContentType(name="ships", label="Ship", model=Ship)


class Hooks:
    @hookimpl
    def masthead_content_types(self) -> list[ContentType]:
        return [SHIPS]


@pytest.fixture
def plugins() -> list[Plugin]:
    return [apitokens, Plugin(name="harbour", hooks=(Hooks(),), base=Base)]


def in_days(days: float) -> str:
    return (utcnow() + timedelta(days=days)).isoformat()


@pytest.fixture
def make_token() -> Callable[..., Any]:
    """Makes a token of a user of the client."""

    def make(client: Client, *permissions: str, status: int = 200, **values: Any) -> Any:
        body = {"name": "Build", "permissions": list(permissions), "expiresAt": in_days(1)}
        return client.post_json(TOKENS, {**body, **values}, status=status).json

    return make


@pytest.fixture
def bearer(app: Client) -> Callable[[Any], Client]:
    """Returns a client that sends a token."""

    def client(made: Any) -> Client:
        own: Client = app.as_role("admin")
        own.authorization = ("Bearer", made["token"])
        return own

    return client


Make = Callable[..., Any]
Bearer = Callable[[Any], Client]


def test_a_token_is_shown_once_and_stored_as_a_digest(
    app: Client, instance: Instance, make_token: Make
) -> None:
    editor = app.as_role("editor")
    made = make_token(editor, "ships.read")

    assert re.fullmatch(r"mst_[0-9A-Za-z]{36}", made["token"])
    shown = editor.get(f"{TOKENS}/{made['id']}").json
    rest = {name: value for name, value in made.items() if name != "token"}
    assert shown == {**rest, "lastUsedAt": None}
    assert editor.get(TOKENS).json == [shown]
    with instance.database.session(read_only=True) as session:
        assert session.scalars(select(ApiToken.digest)).all() == [digest_of(made["token"])]


def test_the_checksum_finds_a_wrong_character() -> None:
    token = new_token()

    assert is_token(token)
    assert not is_token(token[:5] + ("a" if token[5] != "a" else "b") + token[6:])
    assert not is_token(token[:-1])


def test_a_token_has_the_chosen_powers_of_its_user(
    app: Client, make_token: Make, bearer: Bearer
) -> None:
    client = bearer(make_token(app.as_role("editor"), "ships.read"))

    assert client.get("/api/auth/check").json["user"]["permissions"] == ["ships.read"]
    client.get("/api/staff/ships")
    client.post_json("/api/staff/ships", {"title": "Argo"}, status=403)


def test_a_token_loses_the_powers_that_its_user_loses(
    app: Client, make_user: Callable[..., User], make_token: Make, bearer: Bearer
) -> None:
    user, admin = make_user(role="editor"), app.as_role("admin")
    client = bearer(make_token(app.as_user(user), "ships.read"))

    admin.put_json(f"/api/staff/users/{user.id}", {"roles": []})
    client.get("/api/staff/ships", status=403)
    admin.put_json(f"/api/staff/users/{user.id}", {"disabled": True})
    client.get("/api/staff/ships", status=401)


def test_a_token_approves_only_chosen_types(app: Client, make_token: Make, bearer: Bearer) -> None:
    admin = app.as_role("admin")
    without = bearer(make_token(admin, "admin"))
    approving = bearer(make_token(admin, "ships.read", approves=["ships"]))
    item = (desk := Desk(app, "ships").as_role("editor")).create(title="Argo")["id"]
    desk.request(item)

    path, body = "/api/staff/approval/approve", {"contentType": "ships", "contentId": item}
    without.post_json(path, body, status=403)
    assert approving.post_json(path, body).json["success"]


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"permissions": ["ships.fly"]}, "permissions"),
        ({"permissions": ["admin"]}, "permissions"),
        ({"permissions": [], "approves": ["ships"]}, "approves"),
        ({"expiresAt": "2020-01-01T00:00:00Z"}, "expiresAt"),
        ({"expiresAt": "2100-01-01T00:00:00Z"}, "expiresAt"),
        ({"expiresAt": None}, "expiresAt"),
        ({"name": " "}, "name"),
    ],
)
def test_a_token_with_wrong_values_is_refused(
    app: Client, make_token: Make, values: dict[str, Any], field: str
) -> None:
    refused = make_token(app.as_role("editor"), status=400, **values)

    assert [each["path"] for each in refused["fields"]] == [field]


def test_a_token_gives_nobody_access(app: Client, make_token: Make, bearer: Bearer) -> None:
    client = bearer(make_token(app.as_role("admin"), "admin"))

    for path, body in (
        (TOKENS, {"name": "More", "permissions": [], "expiresAt": in_days(1)}),
        ("/api/staff/roles", {"name": "Helper"}),
        ("/api/auth/change-password", {"currentPassword": "a", "newPassword": "b" * 8}),
    ):
        client.post_json(path, body, status=403)
    client.get(TOKENS, status=403)


def test_others_tokens_are_those_of_administrators_only(
    app: Client, make_user: Callable[..., User], make_token: Make, bearer: Bearer
) -> None:
    editor, other, admin = app.as_role("editor"), app.as_user(make_user()), app.as_role("admin")
    made = make_token(editor, "ships.read")
    path = f"{TOKENS}/{made['id']}"

    for client in (other, editor):
        client.get(f"{TOKENS}?all=true", status=403)
    other.get(path, status=404)
    other.put_json(path, {"name": "Mine"}, status=404)
    other.delete(path, status=404)
    assert [each["id"] for each in admin.get(f"{TOKENS}?all=true").json] == [made["id"]]
    assert editor.put_json(path, {"name": "Site"}, headers={"If-Match": '"1"'}).json["name"]
    editor.delete(path, headers={"If-Match": '"1"'}, status=412)
    admin.delete(path)
    assert bearer(made).get("/api/auth/check", status=401).json == {
        "error": "The API token is not valid"
    }
    log = admin.get("/api/staff/audit-log?contentType=api-tokens").json
    actions = [each["action"] for each in log]
    assert actions == ["api-token.revoke", "api-token.rename", "api-token.create"]


def test_history_and_audit_log_name_the_token(
    app: Client, make_token: Make, bearer: Bearer
) -> None:
    client = bearer(make_token(app.as_role("editor"), "ships.read", "ships.write", name="Robot"))
    item = client.post_json("/api/staff/ships", {"title": "Argo"}).json["id"]
    client.delete(f"/api/staff/ships/{item}")

    newest = app.as_role("admin").get("/api/staff/audit-log?limit=1").json[0]
    assert newest["detail"]["credential"] == "Robot"
    assert newest["actor"]["username"] == "some-editor"


def test_a_token_ends_and_is_deleted_later(
    app: Client, instance: Instance, make_token: Make, bearer: Bearer, clock: Clock
) -> None:
    client = bearer(make_token(app.as_role("editor"), "ships.read", expiresAt=in_days(2)))
    client.get("/api/staff/ships")

    clock.shift(days=2)
    client.get("/api/staff/ships", status=401)
    for days, left in ((29, 1), (1, 0)):
        clock.shift(days=days)
        with instance.database.transaction() as session:
            delete_expired(session)
            assert len(session.scalars(select(ApiToken)).all()) == left


def test_the_last_use_is_noted_once_in_a_while(
    app: Client, instance: Instance, make_token: Make, bearer: Bearer
) -> None:
    editor = app.as_role("editor")
    made = make_token(editor, "ships.read")
    client, path = bearer(made), f"{TOKENS}/{made['id']}"
    assert editor.get(path).json["lastUsedAt"] is None

    client.get("/api/staff/ships")
    assert editor.get(path).json["lastUsedAt"] is not None
    with instance.database.transaction() as session:
        session.execute(update(ApiToken).values(last_used_at=None))
    client.get("/api/staff/ships")
    assert editor.get(path).json["lastUsedAt"] is None


def test_a_user_with_another_holder_loses_all_tokens(
    app: Client,
    instance: Instance,
    make_user: Callable[..., User],
    make_token: Make,
    bearer: Bearer,
) -> None:
    user = make_user(role="editor")
    lost = [bearer(make_token(app.as_user(user), "ships.read")) for _ in range(2)]
    kept = bearer(make_token(app.as_role("editor"), "ships.read"))

    with instance.database.transaction() as session:
        revoke_credentials(session, user.id)

    for client in lost:
        client.get("/api/staff/ships", status=401)
    kept.get("/api/staff/ships")
    log = app.as_role("admin").get("/api/staff/audit-log?contentType=api-tokens").json
    revoked = [each["detail"]["user"] for each in log if each["action"] == "api-token.revoke"]
    assert revoked == [user.id, user.id]


def test_a_restore_revokes_all_tokens(
    app: Client, instance: Instance, make_token: Make, bearer: Bearer
) -> None:
    made = make_token(app.as_role("editor"), "ships.read")

    with instance.database.transaction() as session:
        assert masthead_restored(session) == "API tokens are revoked (1); their users make new ones"
    bearer(made).get("/api/staff/ships", status=401)
