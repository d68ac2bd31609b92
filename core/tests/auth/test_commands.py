"""``masthead user`` on the command line."""

from __future__ import annotations

import sys
from collections.abc import Callable
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead.auth import passwords
from masthead.auth.models import User
from masthead.cli import main
from masthead.db import Database
from masthead.testing.accounts import PASSWORD
from masthead.testing.client import Client

Run = Callable[..., Result]
Audited = Callable[[], list[tuple[str, int | None, dict[str, Any]]]]


@pytest.fixture
def run(database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run ``masthead user`` with arguments and standard input on the test's database."""
    monkeypatch.setenv("MASTHEAD_DATABASE_URL", database_url)
    monkeypatch.setenv("MASTHEAD_DATA", str(tmp_path))
    monkeypatch.setenv("MASTHEAD_PLUGINS", "core")

    def run(*arguments: str, typed: str = "") -> Result:
        return CliRunner().invoke(main, ["user", *arguments], input=typed)

    return run


def log_in(app: Client, username: str, password: str, status: int = 200) -> Any:
    body = {"username": username, "password": password}
    return app.post_json("/api/auth/login", body, status=status).json


def test_a_user_is_added_with_a_password_from_standard_input(
    app: Client, run: Run, audited: Audited, database: Database
) -> None:
    arguments = ["add", "Ada", "--email", "Ada@example.org", "--role", "admin", "--password-stdin"]

    result = run(*arguments, typed="a fine password\n")

    place = database.place
    assert (result.exit_code, result.stdout) == (0, f"Created Ada in {place}\n")
    user = log_in(app, "ada@example.org", "a fine password")["user"]
    assert user["username"] == "Ada"
    assert user["roles"] == ["admin"]
    assert audited() == [("user.create", None, {"username": "Ada", "roles": ["admin"]})]


@pytest.mark.usefixtures("run")
@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_a_line_end_is_no_part_of_a_password(
    app: Client, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    # Opened like the interpreter does, without translating line ends.
    stdin = TextIOWrapper(BytesIO(f" a fine password {end}".encode()), "utf-8", newline="\n")
    monkeypatch.setattr(sys, "stdin", stdin)

    main(["user", "add", "ada", "--password-stdin"], standalone_mode=False)

    log_in(app, "ada", " a fine password ")


def test_a_user_is_added_as_an_editor_with_a_password_from_a_prompt(app: Client, run: Run) -> None:
    result = run("add", "ada", typed="a fine password\na fine password\n")

    assert result.exit_code == 0
    assert "a fine password" not in result.output
    assert log_in(app, "ada", "a fine password")["user"]["roles"] == ["editor"]


def test_several_roles_can_be_given(app: Client, run: Run) -> None:
    run("add", "ada", "--role", "admin", "--role", "editor", "--password-stdin", typed=PASSWORD)

    assert log_in(app, "ada", PASSWORD)["user"]["roles"] == ["admin", "editor"]


@pytest.mark.parametrize(
    ("arguments", "typed", "message"),
    [
        (["add", "ADA", "--password-stdin"], PASSWORD, "Username already exists"),
        (["add", "eve", "--role", "wizard", "--password-stdin"], PASSWORD, "no role wizard"),
        (["add", "eve", "--email", "x", "--password-stdin"], PASSWORD, "--email: Must be an e"),
        (["add", " ", "--password-stdin"], PASSWORD, "NAME: Required"),
        (["add", "eve", "--password-stdin"], "short\n", "password: Must have 8 to 1,024"),
        (["add", "eve", "--password-stdin"], "", "password: Required"),
        (["password", "eve", "--password-stdin"], PASSWORD, "There is no user eve"),
        (["disable", "eve"], "", "There is no user eve"),
        (["enable", "eve"], "", "There is no user eve"),
        (["disable", "ada"], "", "The last administrator can't be removed"),
    ],
)
def test_a_refusal_is_one_line_and_exit_status_1(
    run: Run, make_user: Callable[..., User], arguments: list[str], typed: str, message: str
) -> None:
    make_user("ada", role="admin")

    result = run(*arguments, typed=typed)

    assert result.exit_code == 1
    assert result.stdout == ""
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("arguments", [["add"], ["add", "x", "--no-such"], ["fly"]])
def test_wrong_usage_is_exit_status_2(run: Run, arguments: list[str]) -> None:
    assert run(*arguments).exit_code == 2


def test_users_are_listed_one_per_line(run: Run, make_user: Callable[..., User]) -> None:
    make_user("zoe", role="admin", roles=("editor",), email="zoe@example.org")
    make_user("ada", role=None, disabled=True)

    lines = run("list").stdout.splitlines()

    assert [line.split() for line in lines] == [
        ["USERNAME", "EMAIL", "ROLES", "STATE"],
        ["ada", "user2@example.org", "disabled"],
        ["zoe", "zoe@example.org", "admin,", "editor", "enabled"],
    ]


def test_a_password_is_replaced_and_every_token_ends(
    app: Client, run: Run, make_user: Callable[..., User]
) -> None:
    client = app.as_user(make_user("ada"))

    result = run("password", "ADA", "--password-stdin", typed="another password\n")

    assert (result.exit_code, result.stdout) == (0, "Changed the password of ada\n")
    client.get("/api/auth/check", status=401)
    log_in(app, "ada", PASSWORD, status=401)
    log_in(app, "ada", "another password")


def test_a_user_is_disabled(app: Client, run: Run, make_user: Callable[..., User]) -> None:
    client = app.as_user(make_user("ada"))

    assert run("disable", "ada").exit_code == 0

    client.get("/api/auth/check", status=401)


def test_a_disabled_user_is_enabled(app: Client, run: Run, make_user: Callable[..., User]) -> None:
    make_user("ada", disabled=True)

    result = run("enable", "ada")

    assert (result.exit_code, result.stdout) == (0, "Enabled ada\n")
    log_in(app, "ada", PASSWORD)


def test_all_bare_digests_are_hashed_and_work_as_before(
    app: Client, run: Run, session: Session, make_user: Callable[..., User]
) -> None:
    for name in ("ada", "bob", "eve"):
        make_user(name, disabled=name == "eve")
    log_in(app, "bob", PASSWORD)
    client = app.as_user(session.scalars(select(User).where(User.username == "ada")).one())

    result = run("seal")

    assert (result.exit_code, result.stdout) == (0, "Sealed 2 passwords\n")
    stored = session.scalars(select(User.password)).all()
    assert not any(map(passwords.needs_rehash, stored))
    client.get("/api/auth/check")
    log_in(app, "ada", PASSWORD)
    assert run("seal").stdout == "Sealed 0 passwords\n"


@pytest.mark.parametrize("name", ["bo\u200bss", "bоss", "bo\nss", "\u202eboss"])
def test_a_name_that_could_be_taken_for_another_is_refused(run: Run, name: str) -> None:
    assert run("add", "boss", "--password-stdin", typed=PASSWORD).exit_code == 0

    result = run("add", name, "--password-stdin", typed=PASSWORD)

    assert result.exit_code == 1
    assert "Must not contain" in result.stderr or "Looks like" in result.stderr


def test_a_stored_line_end_forges_no_line(run: Run, make_user: Callable[..., User]) -> None:
    make_user("bob\nroot  root@example.org  admin  enabled\u202e")

    lines = run("list").stdout.splitlines()

    assert len(lines) == 2
    assert lines[1].startswith("bob\\nroot")
    assert (
        run("disable", "bob\nroot  root@example.org  admin  enabled\u202e").stdout.count("\n") == 1
    )
