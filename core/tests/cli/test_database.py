from __future__ import annotations

import getpass
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from sqlalchemy import text

from masthead.console.context import open_from
from masthead.db import migrate


def test_an_upgrade_creates_the_tables_once(
    run: Callable[..., Result], environ: dict[str, str]
) -> None:
    first, second = run("db", "upgrade"), run("db", "upgrade")

    with open_from(None, environ) as instance:
        place = instance.database.place
    assert (first.exit_code, first.stdout) == (0, f"Migrated core in {place}\n")
    assert (second.exit_code, second.stdout) == (0, f"Everything is up to date in {place}\n")


def test_other_users_cannot_read_the_data_folder(
    run: Callable[..., Result], environ: dict[str, str]
) -> None:
    run("db", "upgrade")

    assert Path(environ["MASTHEAD_DATA"]).stat().st_mode & 0o777 == 0o700


def test_an_upgrade_creates_no_administrator(run: Callable[..., Result]) -> None:
    run("db", "upgrade")

    assert "admin" not in run("user", "list").stdout


@pytest.mark.parametrize("content", ["", "short", "é" * 40])
@pytest.mark.parametrize("command", [("db", "upgrade"), ("serve", "--port", "0")])
def test_an_unusable_secret_prevents_the_start(
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


@pytest.mark.parametrize("command", ["status", "current"])
def test_the_status_names_the_necessary_action(
    run: Callable[..., Result], environ: dict[str, str], command: str
) -> None:
    with open_from(None, environ, creates=True) as instance, instance.database.read():
        pass  # a database without tables
    before = run("db", command)
    run("db", "upgrade")
    after = run("db", command)

    with open_from(None, environ) as instance:
        revision = migrate.current(instance.database, instance.plugins)["core"]
    line = "the tables of core lack a revision; run masthead db upgrade"
    assert before.exit_code == 1
    assert before.stdout.splitlines()[1].split() == ["core", "-", "-", *line.split()]
    assert after.exit_code == 0
    assert after.stdout.splitlines()[1].split() == ["core", revision, "-", "ok"]


def test_the_status_shows_newer_tables_and_tables_of_disabled_plugins(
    run: Callable[..., Result], environ: dict[str, str]
) -> None:
    run("db", "upgrade")
    with open_from(None, environ) as instance, instance.database.transaction() as session:
        session.execute(text("UPDATE alembic_version_core SET version_num = '9999'"))
        session.execute(text("CREATE TABLE alembic_version_podcasts (version_num TEXT)"))
        session.execute(text("INSERT INTO alembic_version_podcasts VALUES ('0007')"))

    result = run("db", "status")

    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "PLUGIN    REVISION  KIT  STATUS",
        "core      9999      -    newer than the installed version",
        "podcasts  0007      -    disabled",
    ]


def test_a_revision_is_refused_for_an_unknown_plugin(run: Callable[..., Result]) -> None:
    result = run("db", "revision", "nothing", "-m", "add a table")

    assert result.exit_code == 1
    assert result.stderr == "Error: no enabled plugin nothing with tables and migrations\n"


def test_the_tables_are_compared_with_the_models(
    run: Callable[..., Result], environ: dict[str, str]
) -> None:
    run("db", "upgrade")
    before = run("db", "check")
    with open_from(None, environ) as instance, instance.database.transaction() as session:
        session.execute(text("ALTER TABLE core_job DROP COLUMN last_run_at"))

    after = run("db", "check")

    assert (before.exit_code, before.stdout) == (0, "The tables equal the models\n")
    assert after.exit_code == 1
    assert after.stdout.splitlines()[0] == "core: core_job lacks the column last_run_at"
    assert "masthead db revision core -m MESSAGE" in after.stdout
    assert run("jobs").stderr.startswith("Error: core: core_job lacks the column last_run_at;")


def test_an_impossible_data_folder_is_reported_in_one_line(
    run: Callable[..., Result], environ: dict[str, str]
) -> None:
    environ["MASTHEAD_DATA"] = "/dev/null/folder"
    environ["MASTHEAD_DATABASE_URL"] = "sqlite:////dev/null/folder/masthead.db"

    result = run("db", "upgrade")

    assert result.exit_code == 1
    expected = f"the user {getpass.getuser()} can't use /dev/null/folder: not a directory"
    assert result.stderr == f"Error: masthead.data: {expected}\n"


def test_the_search_index_is_rebuilt(run: Callable[..., Result]) -> None:
    run("db", "upgrade")

    result = run("db", "reindex")

    assert (result.exit_code, result.stdout) == (0, "Indexed 0 items\n")
