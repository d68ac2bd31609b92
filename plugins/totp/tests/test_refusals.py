"""Refusals of a change of the second step: guesses, and users who vanish."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from sqlalchemy import delete, event

from masthead import Plugin, User
from masthead.db import Database
from masthead.testing import Client
from masthead.testing.accounts import PASSWORD
from masthead_totp.plugin import plugin as totp

TOTP = "/api/auth/totp"
CHANGES: Mapping[str, Mapping[str, str]] = {
    TOTP: {},
    f"{TOTP}/recovery-codes": {"code": "000000"},
    f"{TOTP}/remove": {"code": "000000"},
}
"""The endpoints that take the password, with the rest of a body."""


@pytest.fixture
def plugins() -> list[Plugin]:
    return [totp]


@pytest.fixture
def settings() -> Mapping[str, str]:
    return {"masthead.auth.throttle": "1"}


@pytest.mark.parametrize("path", CHANGES)
def test_guessing_the_password_is_throttled(
    app: Client, make_user: Callable[..., User], path: str
) -> None:
    client, body = app.as_user(make_user("ada")), CHANGES[path]
    client.post_json(path, {**body, "currentPassword": "a wrong one"}, status=400)

    client.post_json(path, {**body, "currentPassword": PASSWORD}, status=429)


@pytest.mark.parametrize("path", CHANGES)
def test_a_user_who_vanishes_meanwhile_is_not_found(
    app: Client, make_user: Callable[..., User], database: Database, path: str
) -> None:
    client, user = app.as_user(ada := make_user("ada")), ada.id
    others = Database(database.url.render_as_string(hide_password=False))
    vanished: list[int] = []

    def vanish(*_arguments: Any) -> None:
        if not vanished:
            vanished.append(user)
            with others.transaction() as session:
                session.execute(delete(User).where(User.id == user))

    # The token is read outside the request's transaction; the user is deleted in between.
    event.listen(database._reading_session, "begin", vanish)
    event.listen(database.engine, "checkout", vanish)
    client.post_json(path, {**CHANGES[path], "currentPassword": PASSWORD}, status=404)
    others.dispose()


def test_guessing_the_first_code_is_limited(app: Client, make_user: Callable[..., User]) -> None:
    client = app.as_user(make_user("ada"))
    client.post_json(TOTP, {"currentPassword": PASSWORD})

    for _ in range(5):
        client.post_json(f"{TOTP}/confirm", {"code": "000000"}, status=400)

    client.post_json(f"{TOTP}/confirm", {"code": "000000"}, status=429)
