"""Concurrent changes of users."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier
from typing import Any

import pytest
from sqlalchemy import select, text, update
from sqlalchemy.orm import Session

from masthead.audit.models import AuditEntry
from masthead.audit.services import record
from masthead.auth.models import User
from masthead.auth.services.admins import keeping_an_admin
from masthead.auth.services.recovery import Reset, reset_password
from masthead.auth.services.users import get_user
from masthead.db import Database
from masthead.testing.accounts import PASSWORD
from masthead.testing.client import Client

MakeUser = Callable[..., User]


def at_once(*calls: Callable[[], Any]) -> list[int]:
    """Send requests at the same time and return their statuses."""
    barrier = Barrier(len(calls))

    def run(call: Callable[[], Any]) -> int:
        barrier.wait()
        status: int = call().status_int
        return status

    with ThreadPoolExecutor(len(calls)) as threads:
        return list(threads.map(run, calls))


def test_two_admins_cannot_demote_each_other(
    app: Client, make_user: MakeUser, session: Session, database: Database
) -> None:
    for _ in range(5):
        one, two = make_user(role="admin"), make_user(role="admin")
        statuses = at_once(
            change(app.as_user(one), two, {"roles": []}),
            change(app.as_user(two), one, {"disabled": True}),
        )

        assert 200 in statuses
        assert set(statuses) <= {200, 400, 401, 403}
        left = [user for user in (one, two) if is_admin(session, user)]
        assert len(left) == 1
        app.as_user(left[0]).delete(f"/api/staff/users/{left[0].id}", status=400)
        with database.transaction() as writing:
            writing.execute(update(User).values(disabled=True))


def change(client: Client, user: User, body: dict[str, Any]) -> Callable[[], Any]:
    return partial(client.put_json, f"/api/staff/users/{user.id}", body, status="*")


def is_admin(session: Session, user: User) -> bool:
    found = session.get_one(User, user.id, populate_existing=True)
    return not found.disabled and "admin" in [role.name for role in found.roles]


def test_of_two_users_with_one_name_one_is_created(app: Client, make_user: MakeUser) -> None:
    admin = app.as_user(make_user(role="admin"))

    def create(username: str, email: str) -> Callable[[], Any]:
        body = {"username": username, "email": email, "password": "a fine password"}
        return lambda: admin.post_json("/api/staff/users", body, status="*")

    same_name = at_once(create("bob", "a@example.org"), create("BOB", "b@example.org"))
    same_address = at_once(create("c", "c@example.org"), create("d", "C@example.org"))
    crossed = at_once(create("e@example.org", "f@example.org"), create("g", "e@example.org"))

    for statuses in (same_name, same_address, crossed):
        assert Counter(statuses) == {200: 1, 400: 1}


def test_of_two_changes_of_one_password_one_wins(app: Client, make_user: MakeUser) -> None:
    client = app.as_user(make_user("ada"))

    def replace(new: str) -> Callable[[], Any]:
        body = {"currentPassword": PASSWORD, "newPassword": new}
        return lambda: client.post_json("/api/auth/change-password", body, status="*")

    statuses = at_once(replace("first password"), replace("second password"))

    assert Counter(statuses) == {200: 1, 400: 1}
    winner = ("first password", "second password")[statuses.index(200)]
    app.post_json("/api/auth/login", {"username": "ada", "password": winner})
    client.get("/api/auth/check")


def wait_for_a_waiter(database: Database) -> None:
    """Wait until a request waits for a lock; on SQLite a waiting one holds no lock."""
    waiting = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
    with database.read() as connection:
        while database.dialect == "postgresql" and not connection.scalar(waiting):
            time.sleep(0.01)


def test_a_change_of_password_and_name_locks_no_user_while_it_waits(
    app: Client, make_user: MakeUser, database: Database
) -> None:
    client = app.as_user(make_user("ada"))
    body = {"displayName": "Ada", "password": "a fine password", "currentPassword": PASSWORD}

    with ThreadPoolExecutor(1) as threads:
        with database.transaction() as session, keeping_an_admin(session):
            change = threads.submit(client.put_json, "/api/staff/profile", body)
            wait_for_a_waiter(database)
            session.execute(select(User.id).with_for_update(nowait=True))

        assert change.result().json == {"success": True}


def test_a_password_reset_locks_no_user_while_it_waits(
    make_user: MakeUser, database: Database, session: Session
) -> None:
    user = make_user("ada")

    def replace() -> None:
        with database.transaction() as replacing:
            reset_password(replacing, Reset(user.id, user.generation), "hashed")

    with ThreadPoolExecutor(1) as threads:
        with database.transaction() as changing, keeping_an_admin(changing):
            replaced = threads.submit(replace)
            wait_for_a_waiter(database)
            changing.execute(select(User.id).with_for_update(nowait=True))

        replaced.result()
    assert session.get_one(User, user.id).password == "hashed"


def test_a_change_of_a_user_lets_others_refer_to_them(
    make_user: MakeUser, database: Database
) -> None:
    if database.dialect == "sqlite":
        pytest.skip("SQLite has one writer at a time")
    user_id = make_user("ada").id

    with database.transaction() as changing, database.transaction() as writing:
        get_user(changing, user_id, for_update=True)
        writing.execute(text("SET LOCAL lock_timeout = '2s'"))
        record(writing, "approval.approve", user_id)


@pytest.mark.usefixtures("clock")
def test_failed_logins_at_once_are_counted_in_one_entry(
    app: Client, make_user: MakeUser, session: Session
) -> None:
    make_user("ada")
    body = {"username": "ada", "password": "wrong password"}

    at_once(*[lambda: app.post_json("/api/auth/login", body, status=401)] * 6)

    assert [entry.detail["count"] for entry in session.scalars(select(AuditEntry))] == [6]


def test_two_logins_at_once_replace_a_bare_digest_once(
    app: Client, make_user: MakeUser, session: Session
) -> None:
    user = make_user("ada")
    body = {"username": "ada", "password": PASSWORD}

    statuses = at_once(*[lambda: app.post_json("/api/auth/login", body)] * 4)

    assert statuses == [200] * 4
    assert session.get_one(User, user.id).password.startswith("$argon2id$")
