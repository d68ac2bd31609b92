"""Attacks with API tokens: more powers than the owner's, ended tokens, and other headers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest

from masthead import Instance, Plugin, User, utcnow
from masthead.testing import Client, Clock
from masthead_apitokens.models import ApiToken
from masthead_apitokens.plugin import plugin as apitokens

TOKENS = "/api/staff/api-tokens"
CHECK = "/api/auth/check"
MakeUser = Callable[..., User]


@pytest.fixture
def plugins() -> list[Plugin]:
    return [apitokens]


def make(client: Client, *permissions: str, **values: Any) -> Any:
    expires = (utcnow() + timedelta(days=1)).isoformat()
    body = {"name": "Build", "permissions": list(permissions), "expiresAt": expires, **values}
    return client.post_json(TOKENS, body).json


def held(app: Client, token: str, status: int = 200) -> list[str]:
    """Return the permissions of a token, as the server sees them."""
    answer = app.get(CHECK, headers={"Authorization": f"Bearer {token}"}, status=status).json
    return answer["user"]["permissions"] if status == 200 else []


def test_a_token_never_has_more_than_its_owner(
    app: Client, make_user: MakeUser, make_role: Any
) -> None:
    make_role("reader", "tags.read")
    make_role("writer", "tags.read", "tags.write")
    owner, admin = make_user("ada", role="admin"), app.as_role("admin")
    own = f"/api/staff/users/{owner.id}"
    whole, part = (
        make(app.as_user(owner), *each)["token"] for each in (("admin",), ("tags.write",))
    )
    assert {"admin", "tags.write"} <= set(held(app, whole))

    for role, of_whole, of_part in (
        # "admin" in a token is no word for whatever its owner has later.
        ("writer", [], ["tags.write"]),
        ("reader", [], []),
        ("writer", [], ["tags.write"]),
    ):
        admin.put_json(own, {"roles": [role]})
        assert (held(app, whole), held(app, part)) == (of_whole, of_part), role
    admin.put_json(own, {"disabled": True})
    held(app, part, 401)
    admin.put_json(own, {"disabled": False})
    assert held(app, part) == ["tags.write"]
    # An administrator who was one when the token was made gives nothing to a later owner of powers.
    admin.put_json(own, {"roles": ["admin"]})
    assert held(app, part) == ["tags.write"]


def test_a_token_ends_to_the_second(clock: Clock, app: Client, make_user: MakeUser) -> None:
    client = app.as_user(make_user("ada"))
    end = utcnow() + timedelta(minutes=10)
    token = make(client, expiresAt=end.isoformat())["token"]

    for seconds, status in ((-1, 200), (-0.001, 200), (0, 401), (1, 401), (-1, 200)):
        clock.move_to(end + timedelta(seconds=seconds))
        held(app, token, status)
    for late in ("2026-03-01T09:30:00Z", "2027-03-03T09:30:00Z"):
        body = {"name": "a", "permissions": [], "expiresAt": late}
        clock.move_to("2026-03-01T09:30:00Z")
        client.post_json(TOKENS, body, status=400)


def test_a_revoked_token_is_refused_by_the_next_request(app: Client, make_user: MakeUser) -> None:
    client = app.as_user(make_user("ada"))
    made = make(client)
    held(app, made["token"])

    client.delete(f"{TOKENS}/{made['id']}")

    held(app, made["token"], 401)
    held(app, made["token"], 401)


def test_requests_at_once_make_no_token_too_many(
    app: Client, instance: Instance, make_user: MakeUser
) -> None:
    owner = make_user("ada")
    old = {"user_id": owner.id, "permissions": [], "approves": [], "name": "Old"}
    with instance.database.transaction() as session:
        expires = utcnow() + timedelta(days=1)
        session.add_all(ApiToken(**old, digest=str(n), expires_at=expires) for n in range(98))
    body = {"name": "New", "permissions": [], "expiresAt": expires.isoformat()}

    def send(_number: int) -> int:
        status: int = app.as_user(owner).post_json(TOKENS, body, status="*").status_int
        return status

    with ThreadPoolExecutor(6) as threads:
        statuses = Counter(threads.map(send, range(6)))

    assert statuses == {200: 2, 400: 4}


def test_only_the_whole_token_in_its_header_counts(app: Client, make_user: MakeUser) -> None:
    client = app.as_user(make_user("ada"))
    token = make(client)["token"]

    for header, status in (
        (f"Bearer {token}", 200),
        (f"bearer  {token} ", 200),
        (token, 401),
        (f"Basic {token}", 401),
        (f"Bearer {token.upper()}", 401),
        (f"Bearer MST_{token[4:]}", 401),
        (f"Bearer {token[:-1]}", 401),
        (f"Bearer {token}x", 401),
        (f"Bearer {token} {token}", 401),
        (f"Bearer {token}, Bearer {token}", 401),
        (f"Bearer {token[4:]}", 401),
        ("Bearer mst_", 401),
    ):
        app.get(CHECK, headers={"Authorization": header}, status=status)
    app.get(f"{CHECK}?access_token={token}", status=401)
    app.get(CHECK, headers={"Cookie": f"Authorization=Bearer {token}"}, status=401)
