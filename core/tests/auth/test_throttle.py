"""Throttling of failed logins, where the setting turns it on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead.auth.models import LoginFailure, User
from masthead.auth.passwords import hash_password
from masthead.auth.services.logins import count_failure, throttle_key
from masthead.auth.services.recovery import Reset, check_token, make_token, reset_password
from masthead.auth.services.users import HashedPassword, update_user
from masthead.db import Database, utcnow
from masthead.instance import Instance
from masthead.testing.accounts import PASSWORD
from masthead.testing.client import Client
from masthead.testing.clock import Clock
from masthead.web.app import app_of

pytestmark = pytest.mark.usefixtures("clock", "ada")


@pytest.fixture
def settings() -> Mapping[str, str]:
    return {"masthead.auth.throttle": "3"}


@pytest.fixture
def ada(make_user: Callable[..., User]) -> User:
    return make_user("Ada", email="ada@example.org")


def try_login(
    app: Client, status: int, name: str = "ada", password: str = "wrong password", **environ: str
) -> Any:
    body = {"username": name, "password": password}
    return app.post_json("/api/auth/login", body, status=status, extra_environ=environ)


def test_after_the_allowed_failures_even_the_right_password_is_refused(app: Client) -> None:
    for _ in range(3):
        try_login(app, 401)

    answer = try_login(app, 429, password=PASSWORD)

    assert answer.json == {"error": "Too many failed logins"}
    assert answer.headers["Retry-After"] == "901"


def test_the_time_is_over_15_minutes_after_the_first_failure(clock: Clock, app: Client) -> None:
    for _ in range(3):
        try_login(app, 401)
        clock.shift(minutes=4)

    answer = try_login(app, 429)
    assert answer.headers["Retry-After"] == "181"
    clock.shift(seconds=int(answer.headers["Retry-After"]))
    try_login(app, 200, password=PASSWORD)


def test_each_address_and_each_name_is_counted_separately(
    app: Client, make_user: Callable[..., User]
) -> None:
    make_user("bob")
    for _ in range(3):
        try_login(app, 401)

    try_login(app, 200, password=PASSWORD, REMOTE_ADDR="192.0.2.7")
    try_login(app, 200, "bob", PASSWORD)
    try_login(app, 429, "ADA", PASSWORD)


def test_username_and_address_of_a_user_are_counted_together(app: Client) -> None:
    for name in ("ada", "ADA@example.org", "Ada"):
        try_login(app, 401, name)

    for name in ("ada", "ada@example.org"):
        try_login(app, 429, name, PASSWORD)


@pytest.mark.parametrize("by", ["an administrator", "a mailed link", "a command"])
def test_a_new_password_lifts_the_throttle_of_its_user(
    app: Client, ada: User, instance: Instance, database: Database, by: str
) -> None:
    new = "another fine password"
    for name in ("ada", "nobody"):
        for _ in range(3):
            try_login(app, 401, name)

    if by == "an administrator":
        app.as_role("admin").put_json(f"/api/staff/users/{ada.id}", {"password": new})
    else:
        hashed = hash_password(new)
        with database.transaction() as session:
            if by == "a command":
                update_user(session, ada.id, {}, None, HashedPassword(hashed))
            else:
                reset = Reset(ada.id, ada.generation)
                token = make_token(instance, reset, utcnow() + timedelta(hours=1))
                reset_password(session, check_token(instance, token), hashed)

    try_login(app, 200, "ada", new)
    try_login(app, 200, "ada@example.org", new)
    try_login(app, 429, "nobody")


def test_a_client_s_header_does_not_change_its_address(app: Client) -> None:
    for number in range(3):
        try_login(app, 401, HTTP_X_FORWARDED_FOR=f"192.0.2.{number}")

    try_login(app, 429, HTTP_X_FORWARDED_FOR="192.0.2.77")


def test_unknown_names_are_throttled_alike(app: Client) -> None:
    for _ in range(3):
        try_login(app, 401, "nobody")

    try_login(app, 429, "nobody")


def test_a_second_process_counts_the_same_failures(app: Client, instance: Instance) -> None:
    other = Client(app_of(instance), app._accounts, app._checker)
    for client in (app, other, app):
        try_login(client, 401)

    try_login(other, 429)


def test_expired_failures_are_deleted(clock: Clock, app: Client, session: Session) -> None:
    try_login(app, 401, "one")
    try_login(app, 401, "two")

    clock.shift(minutes=15)
    try_login(app, 401, "three")

    assert [failure.since for failure in session.scalars(select(LoginFailure))] == [utcnow()]


def test_failures_at_once_are_all_counted(database: Database, session: Session) -> None:
    def fail(_: int) -> None:
        with database.transaction() as writing:
            count_failure(writing, throttle_key(None, "ada", "127.0.0.1"))

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(fail, range(40)))

    assert session.scalars(select(LoginFailure.count)).all() == [40]


@pytest.mark.parametrize("days", [1, 400])
def test_a_clock_that_was_set_back_locks_nobody_out(
    days: int, clock: Clock, app: Client, session: Session
) -> None:
    clock.shift(days=days)
    for _ in range(3):
        try_login(app, 401)
    clock.shift(days=-days)

    try_login(app, 200, password=PASSWORD)
    try_login(app, 401, "somebody else")

    assert [failure.since for failure in session.scalars(select(LoginFailure))] == [utcnow()]


def test_a_clock_that_is_a_little_behind_still_throttles(clock: Clock, app: Client) -> None:
    for _ in range(3):
        try_login(app, 401)
        clock.shift(seconds=-10)

    try_login(app, 429, password=PASSWORD)


CHANGES = [
    ("POST", "/api/auth/change-password", {"newPassword": "another password"}),
    ("PUT", "/api/staff/profile", {"password": "another password", "displayName": "x"}),
    ("PUT", "/api/staff/profile", {"email": "mallory@example.org", "displayName": "x"}),
]


@pytest.mark.parametrize(("method", "path", "body"), CHANGES)
def test_guessing_the_current_password_is_throttled_like_a_login(
    app: Client, ada: User, method: str, path: str, body: dict[str, str]
) -> None:
    def change(current: str, status: int) -> Any:
        ask = getattr(app.as_user(ada), f"{method.lower()}_json")
        return ask(path, {**body, "currentPassword": current}, status=status)

    try_login(app, 401)
    for _ in range(2):
        answer = change("wrong password", 400)
        assert answer.json["error"] == "Current password is incorrect"

    answer = change(PASSWORD, 429)
    assert answer.json == {"error": "Too many failed logins"}
    assert answer.headers["Retry-After"] == "901"
    try_login(app, 429, password=PASSWORD)


@pytest.mark.parametrize(("method", "path", "body"), CHANGES)
def test_wrong_current_passwords_are_in_the_audit_log(
    app: Client, ada: User, audited: Any, method: str, path: str, body: dict[str, str]
) -> None:
    for _ in range(2):
        ask = getattr(app.as_user(ada), f"{method.lower()}_json")
        ask(path, {**body, "currentPassword": "wrong password"}, status=400)

    assert audited() == [("login.failed", None, {"name": "Ada", "count": 2})]
    assert app.as_user(ada).get("/api/staff/profile").json["displayName"] is None
