"""Tokens after the database is replaced by another one under the same secret."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from webtest import TestApp

from masthead.auth import passwords
from masthead.auth.models import User
from masthead.auth.services.users import create_user
from masthead.cli.first_start import prepare
from masthead.core_plugin import plugin as core
from masthead.instance import Instance, open_instance
from masthead.web.app import app_of

PASSWORD = "a password of many words"

Open = Callable[[], TestApp]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "var"


@pytest.fixture
def start(data: Path) -> Iterator[Open]:
    """Start the instance of the data folder; its administrator is ada."""
    opened: list[Instance] = []

    def start() -> TestApp:
        while opened:
            opened.pop().close()
        instance = open_instance({"masthead.data": str(data)}, {}, {core.name: core})
        opened.append(instance)
        prepare(instance)
        with instance.database.transaction() as session:
            if session.scalar(select(User.id)) is None:
                fields = {"username": "ada", "roles": ["admin"]}
                create_user(session, fields, passwords.hash_password(PASSWORD), None)
        return TestApp(app_of(instance), extra_environ={"REMOTE_ADDR": "127.0.0.1"})

    yield start
    while opened:
        opened.pop().close()


def log_in(app: TestApp, name: str) -> dict[str, str]:
    body = {"username": name, "password": PASSWORD}
    token = app.post_json("/api/auth/login", body).json["token"]
    return {"Authorization": f"Bearer {token}"}


def add(app: TestApp, name: str, **fields: Any) -> int:
    """Add a user, enable them, and return their id."""
    body = {"username": name, "email": f"{name}@example.org", "password": PASSWORD, **fields}
    admin = log_in(app, "ada")
    user_id: int = app.post_json("/api/staff/users", body, headers=admin).json["id"]
    app.put_json(f"/api/staff/users/{user_id}", {"disabled": False}, headers=admin)
    return user_id


def restore(data: Path, backup: Path | None) -> None:
    for file in data.glob("masthead.db*"):
        file.unlink()
    if backup is not None:
        shutil.copy(backup, data / "masthead.db")


@pytest.mark.slow
@pytest.mark.parametrize("disabled", [False, True])
@pytest.mark.parametrize("from_backup", [True, False])
def test_a_token_is_invalid_for_another_user_with_the_same_id(
    data: Path, tmp_path: Path, start: Open, from_backup: bool, disabled: bool
) -> None:
    app = start()
    backup = tmp_path / "backup.db"
    sqlite3.connect(data / "masthead.db").execute("VACUUM INTO ?", (str(backup),))
    lost = add(app, "mallory", disabled=disabled)
    token = log_in(app, "mallory")
    app.get("/api/auth/check", headers=token)

    restore(data, backup if from_backup else None)
    app = start()

    assert add(app, "grace", roles=["admin"], disabled=disabled) == lost
    app.get("/api/auth/check", headers=token, status=401)
    app.get("/api/staff/users", headers=token, status=401)


def test_a_token_of_the_former_first_admin_is_invalid_for_the_new_one(
    data: Path, start: Open
) -> None:
    token = log_in(start(), "ada")
    restore(data, None)

    start().get("/api/auth/check", headers=token, status=401)
