from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from masthead.console.context import open_from
from masthead.db import migrate


def test_an_upgrade_makes_the_tables_once(
    run: Callable[..., Result], environ: dict[str, str]
) -> None:
    first, second = run("db", "upgrade"), run("db", "upgrade")

    with open_from(None, environ) as instance:
        place = instance.database.place
    assert (first.exit_code, first.stdout) == (0, f"Migrated core in {place}\n")
    assert (second.exit_code, second.stdout) == (0, f"Everything is up to date in {place}\n")


def test_the_data_folder_is_closed_to_others(
    run: Callable[..., Result], environ: dict[str, str]
) -> None:
    run("db", "upgrade")

    assert Path(environ["MASTHEAD_DATA"]).stat().st_mode & 0o777 == 0o700


def test_an_upgrade_makes_no_administrator(run: Callable[..., Result]) -> None:
    run("db", "upgrade")

    assert "admin" not in run("user", "list").stdout


@pytest.mark.parametrize("content", ["", "short", "é" * 40])
@pytest.mark.parametrize("command", [("db", "upgrade"), ("serve", "--port", "0")])
def test_a_secret_that_cannot_be_used_stops_the_start(
    run: Callable[..., Result], environ: dict[str, str], content: str, command: tuple[str, ...]
) -> None:
    environ.pop("MASTHEAD_DATABASE_URL", None)
    environ.pop("MASTHEAD_AUTH_SECRETS", None)
    file = Path(environ["MASTHEAD_DATA"]) / "auth.secret"
    file.parent.mkdir()
    file.write_text(content)

    result = run(*command)

    assert result.exit_code == 1
    assert result.stderr.startswith(f"Error: {file} ")
    assert result.stderr.count("\n") == 1


def test_current_shows_pending_migrations(
    run: Callable[..., Result], environ: dict[str, str]
) -> None:
    before = run("db", "current").stdout.splitlines()
    run("db", "upgrade")
    after = run("db", "current").stdout.splitlines()

    with open_from(None, environ) as instance:
        revision = migrate.current(instance.database, instance.plugins)["core"]
    assert before[1].split() == ["core", "-", "to", "be", "migrated"]
    assert after[1].split() == ["core", revision]


def test_a_revision_is_refused_for_a_plugin_that_is_not_there(run: Callable[..., Result]) -> None:
    result = run("db", "revision", "nothing", "-m", "add a table")

    assert result.exit_code == 1
    assert result.stderr == "Error: no enabled plugin nothing with tables and migrations\n"


def test_a_data_folder_that_cannot_be_made_is_one_line(
    run: Callable[..., Result], environ: dict[str, str]
) -> None:
    environ["MASTHEAD_DATA"] = "/dev/null/folder"
    environ["MASTHEAD_DATABASE_URL"] = "sqlite:////dev/null/folder/masthead.db"

    result = run("db", "upgrade")

    assert result.exit_code == 1
    assert result.stderr == "Error: [Errno 20] Not a directory: '/dev/null/folder'\n"


def test_the_search_index_is_built_anew(run: Callable[..., Result]) -> None:
    run("db", "upgrade")

    result = run("db", "reindex")

    assert (result.exit_code, result.stdout) == (0, "Indexed 0 items\n")
