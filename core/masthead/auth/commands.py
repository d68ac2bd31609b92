"""``masthead user``: managing users on the command line."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead.auth import passwords
from masthead.auth.models import User
from masthead.auth.schemas import NewPassword, UserName
from masthead.auth.services import logins, users
from masthead.console.context import config_option, open_from
from masthead.console.table import show_table
from masthead.http.paging import MOST_ROWS, Window
from masthead.instance import Instance
from masthead.schemas.field_types import Email, FieldType
from masthead.schemas.language_tags import LanguageTag
from masthead.unicode.characters import printable

_from_stdin = click.option(
    "--password-stdin", is_flag=True, help="Read the password from standard input."
)


@click.group()
def user() -> None:
    """Manage users."""


@user.command("add")
@click.argument("name")
@click.option("--email", help="The e-mail address, which works as a login name too.")
@click.option("--role", "roles", multiple=True, help="A role; may be repeated.  [default: editor]")
@click.option("--language", help="The language of mails to them, such as de or pt-BR.")
@_from_stdin
@config_option
def add_user(
    name: str,
    email: str | None,
    roles: tuple[str, ...],
    language: str | None,
    password_stdin: bool,
    config: Path | None,
) -> None:
    """Create the user NAME."""
    data: dict[str, Any] = {"username": _parsed(UserName(), name, "NAME")}
    if email is not None:
        data["email"] = _parsed(Email(), email, "--email")
    if roles:
        data["roles"] = list(roles)
    if language is not None:
        data["language"] = _parsed(LanguageTag(), language, "--language")
    hashed = passwords.hash_password(_read_password(password_stdin))
    with open_from(config) as instance:
        with instance.database.transaction() as session:
            users.create_user(session, data, hashed, None)
        click.echo(f"Created {data['username']} in {instance.database.place}")


@user.command("list")
@config_option
def list_users(config: Path | None) -> None:
    """List all users by name."""
    with _session(config) as session:
        found = users.list_users(session, Window(MOST_ROWS, 0)).items
        rows = [_row(each) for each in found]
    show_table(("USERNAME", "EMAIL", "ROLES", "STATE"), rows)


@user.command("password")
@click.argument("name")
@_from_stdin
@config_option
def set_password(name: str, password_stdin: bool, config: Path | None) -> None:
    """Change the password of the user NAME, which ends all their tokens."""
    hashed = passwords.hash_password(_read_password(password_stdin))
    with _session(config) as session:
        found = users.get_user_named(session, name)
        users.update_user(session, found.id, {}, None, users.HashedPassword(hashed))
    click.echo(f"Changed the password of {printable(found.username)}")


@user.command("disable")
@click.argument("name")
@config_option
def disable_user(name: str, config: Path | None) -> None:
    """Disable the user NAME, who can't log in any more."""
    with _session(config) as session:
        found = users.get_user_named(session, name)
        users.update_user(session, found.id, {"disabled": True}, None)
    click.echo(f"Disabled {printable(found.username)}")


@user.command("enable")
@click.argument("name")
@config_option
def enable_user(name: str, config: Path | None) -> None:
    """Enable the user NAME, who was disabled or came with an import."""
    with _session(config) as session:
        found = users.get_user_named(session, name)
        users.update_user(session, found.id, {"disabled": False}, None)
    click.echo(f"Enabled {printable(found.username)}")


@user.command("seal")
@config_option
def seal_users(config: Path | None) -> None:
    """Hash with Argon2id every password that is stored as a bare SHA-256 digest."""
    with open_from(config) as instance:
        legacy = _users_with_legacy_digests(instance)
        with click.progressbar(legacy, label="Sealing", file=sys.stderr) as bar:
            for each in bar:
                hashed = passwords.hash_digest(each.password)
                with instance.database.transaction() as session:
                    logins.replace_hash(session, each, hashed)
    click.echo(f"Sealed {len(legacy)} passwords")


def _users_with_legacy_digests(instance: Instance) -> list[User]:
    with instance.database.session(read_only=True) as session:
        return [
            each
            for each in session.scalars(select(User))
            if passwords.is_legacy_digest(each.password)
        ]


def _row(each: User) -> tuple[str, str, str, str]:
    roles = ", ".join(role.name for role in each.roles)
    return each.username, each.email or "", roles, "disabled" if each.disabled else "enabled"


@contextmanager
def _session(config: Path | None) -> Iterator[Session]:
    with open_from(config) as instance, instance.database.transaction() as session:
        yield session


def _read_password(from_stdin: bool) -> str:
    if from_stdin:
        text = sys.stdin.readline().rstrip("\r\n")
    else:
        text = click.prompt("Password", hide_input=True, confirmation_prompt=True)
    return str(_parsed(NewPassword(), text, "password"))


def _parsed(kind: FieldType, text: str, name: str) -> Any:
    try:
        return kind.parse(text)
    except ValueError as error:
        raise click.ClickException(f"{name}: {error}") from error
