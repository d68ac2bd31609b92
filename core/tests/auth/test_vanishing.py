"""Users who are deleted during one of their requests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import delete, event

from masthead.auth.models import User
from masthead.db import Database
from masthead.testing.accounts import PASSWORD
from masthead.testing.client import Client

PASSWORDS = {"currentPassword": PASSWORD, "newPassword": "another password"}
REQUESTS: list[tuple[str, str, dict[str, str]]] = [
    ("GET", "/api/staff/profile", {}),
    ("PUT", "/api/staff/profile", {"displayName": "Ada"}),
    ("POST", "/api/auth/change-password", PASSWORDS),
]


@pytest.mark.parametrize(("method", "path", "body"), REQUESTS)
def test_a_user_who_vanishes_is_not_found(
    app: Client,
    make_user: Callable[..., User],
    database: Database,
    method: str,
    path: str,
    body: dict[str, str],
) -> None:
    user = make_user("ada")
    client = app.as_user(user)
    others = Database(database.url.render_as_string(hide_password=False))

    vanished: list[int] = []

    def vanish(*_arguments: Any) -> None:
        if not vanished:
            vanished.append(user.id)
            with others.transaction() as session:
                session.execute(delete(User).where(User.id == user.id))

    # The token is read outside the request's transaction; each case deletes the user in between.
    event.listen(database._reading_session, "begin", vanish)
    event.listen(database.engine, "checkout", vanish)
    if method == "GET":
        answer = client.get(path, status=404)
    else:
        send = client.put_json if method == "PUT" else client.post_json
        answer = send(path, body, status=404)
    others.dispose()

    assert answer.json == {"error": "User not found"}
