"""Codes and tokens that are sent twice at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pyotp
import pytest

from masthead import Plugin, User
from masthead.testing import Client, Clock
from masthead.testing.accounts import PASSWORD
from masthead_totp.plugin import plugin as totp

TOTP = "/api/auth/totp"
_AT_ONCE = 4


@pytest.fixture
def plugins() -> list[Plugin]:
    return [totp]


@pytest.fixture
def settings() -> Mapping[str, str]:
    return {"masthead.totp.required": "admin"}


def at_once(app: Client, path: str, *bodies: dict[str, Any]) -> list[Any]:
    """Send requests at the same time, and return their answers."""
    barrier = Barrier(len(bodies))

    def run(body: dict[str, Any]) -> Any:
        barrier.wait()
        return app.post_json(path, body, status="*")

    with ThreadPoolExecutor(len(bodies)) as threads:
        return list(threads.map(run, bodies))


def statuses(answers: list[Any]) -> Counter[int]:
    return Counter(answer.status_int for answer in answers)


@pytest.fixture
def enrolled(app: Client, clock: Clock, make_user: Callable[..., User]) -> Any:
    """Return a user with the setup of a confirmed app, of which no later code is used."""
    client = app.as_user(user := make_user("ada"))
    setup = client.post_json(TOTP, {"currentPassword": PASSWORD}).json
    code = pyotp.TOTP(setup["secret"]).at(clock.now())
    client.post_json(f"{TOTP}/confirm", {"code": code})
    clock.shift(seconds=60)
    return user, setup


def test_a_code_that_is_sent_twice_at_once_works_once(
    app: Client, clock: Clock, enrolled: Any
) -> None:
    _, setup = enrolled
    proof = {"username": "ada", "password": PASSWORD}

    for round_ in range(3):
        clock.shift(seconds=30 * round_ + 30)
        code = pyotp.TOTP(setup["secret"]).at(clock.now())
        answers = at_once(app, "/api/auth/login", *[{**proof, "code": code}] * _AT_ONCE)
        assert statuses(answers) == {200: 1, 401: _AT_ONCE - 1}
        code = setup["recoveryCodes"][round_]
        answers = at_once(app, "/api/auth/login", *[{**proof, "code": code}] * _AT_ONCE)
        assert statuses(answers) == {200: 1, 401: _AT_ONCE - 1}


def test_wrong_codes_at_once_are_all_counted(app: Client, enrolled: Any) -> None:
    body = {"username": enrolled[0].username, "password": PASSWORD, "code": "000000"}

    answers = at_once(app, "/api/auth/login", *[body] * 8)

    assert statuses(answers) == {401: 5, 429: 3}


def test_a_setup_token_that_is_sent_twice_at_once_works_once(
    app: Client, make_user: Callable[..., User]
) -> None:
    make_user("boss", role="admin")
    for _ in range(3):
        body = {"username": "boss", "password": PASSWORD}
        token = app.post_json("/api/auth/login", body, status=401).json["stepToken"]

        answers = at_once(app, f"{TOTP}/setup", *[{"token": token}] * _AT_ONCE)

        assert statuses(answers) == {200: 1, 400: _AT_ONCE - 1}
