"""A wrong setting is refused in one line with its remedy, before anything is touched."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Run = Callable[..., Result]

POSTGRESQL = "postgresql://masthead:{}127.0.0.1:9/masthead"
SECRET = {"MASTHEAD_AUTH_SECRETS": "5e8b7f0a4b7c4c0e9a3e0d6d1f2a9b48"}
WRONG: dict[str, tuple[dict[str, str], tuple[str, ...]]] = {
    "a JSON body larger than any body": (
        {"MASTHEAD_JSON_MAX_BODY": "30000000"},
        ("masthead.json.max_body is 30000000", "masthead.server.max_body is only 22020096; raise"),
    ),
    "any body smaller than a JSON body": (
        {"MASTHEAD_SERVER_MAX_BODY": "5000"},
        ("masthead.json.max_body is 2097152, but masthead.server.max_body is only 5000",),
    ),
    "PostgreSQL without secrets": (
        {"MASTHEAD_DATABASE_URL": POSTGRESQL.format("x@"), "MASTHEAD_AUTH_SECRETS": ""},
        ("masthead.auth.secrets must be set", "openssl rand -hex 32"),
    ),
    "a password with @": (
        {"MASTHEAD_DATABASE_URL": POSTGRESQL.format("hush@x@"), **SECRET},
        ("@ is written as %40",),
    ),
    "commas between words": (
        {"MASTHEAD_PLUGINS": "core,news"},
        ("MASTHEAD_PLUGINS: expected words that are separated by blanks, without commas",),
    ),
    "commas between networks": (
        {"MASTHEAD_SERVER_TRUSTED_PROXIES": "127.0.0.1,10.0.0.1"},
        ("separated by blanks",),
    ),
    "a data folder below a file": (
        {"MASTHEAD_DATA": "{file}/data", "MASTHEAD_DATABASE_URL": ""},
        ("masthead.data: the user ", " can't use {file}"),
    ),
    "a database in a folder that can't be made": (
        {"MASTHEAD_DATABASE_URL": "sqlite:///{file}/x.db"},
        ("masthead.database.url: the user ", " can't use {file}"),
    ),
    "a file that is no database": (
        {"MASTHEAD_DATABASE_URL": "sqlite:///{file}"},
        ("can't be reached: {file} is no SQLite database", "masthead.database.url"),
    ),
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    made = tmp_path / "notes.txt"
    made.write_text("no database, and no folder\n" * 100)
    return made


@pytest.mark.parametrize("command", [["serve", "--port", "0"], ["db", "upgrade"]])
def test_each_wrong_setting_is_refused_in_one_line_and_nothing_is_made(
    run: Run, environ: dict[str, str], tmp_path: Path, file: Path, command: list[str]
) -> None:
    before = dict(environ)
    for name, (wrong, expected) in WRONG.items():
        environ.clear()
        environ.update(before | {key: value.format(file=file) for key, value in wrong.items()})

        result = run(*command)

        *_, last = result.stderr.splitlines()
        assert result.exit_code == 1, name
        assert last.startswith("Error: "), name
        for part in expected:
            assert part.format(file=file) in last, name
        assert "hush" not in result.output, name
        assert "password:" not in result.output, name
        made = [each for each in tmp_path.rglob("*") if each.name not in ("data", file.name)]
        assert made == [], name


def test_a_single_percent_sign_in_the_ini_file_is_explained(run: Run, tmp_path: Path) -> None:
    config = tmp_path / "masthead.ini"
    config.write_text("[app:main]\nmasthead.database.url = postgresql://a:b%40c@127.0.0.1:9/d\n")

    result = run("db", "upgrade", "-c", config)

    assert result.exit_code == 1
    assert "masthead.database.url has a single percent sign; write % as %%" in result.stderr


def test_a_missing_driver_is_named_with_the_command_that_installs_it(
    run: Run, environ: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    environ.update(SECRET, MASTHEAD_DATABASE_URL=POSTGRESQL.format("x@"))
    for name in [name for name in sys.modules if name.partition(".")[0] == "psycopg"]:
        monkeypatch.delitem(sys.modules, name)
    real = builtins.__import__

    def missing(name: str, *arguments: object) -> object:
        if name.partition(".")[0] == "psycopg":
            raise ImportError(name)
        return real(name, *arguments)

    monkeypatch.setattr(builtins, "__import__", missing)

    assert 'pip install "./core[postgresql]"' in run("db", "upgrade").stderr


def test_a_mistyped_variable_gets_a_guess(
    run: Run, environ: dict[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    environ["MASTHEAD_SERVER_PROT"] = "80"

    run("db", "upgrade")

    assert "MASTHEAD_SERVER_PROT is set" in caplog.text
    assert "did you mean MASTHEAD_SERVER_PORT?" in caplog.text


def test_a_command_uses_no_empty_database_in_place_of_a_missing_one(
    run: Run, environ: dict[str, str], tmp_path: Path
) -> None:
    environ["MASTHEAD_DATABASE_URL"] = f"sqlite:///{tmp_path}/elsewhere/masthead.db"
    for command in (["user", "list"], ["db", "status"], ["worker"], ["export", tmp_path / "out"]):
        result = run(*command)

        assert result.exit_code == 1
        assert f"there is no file {tmp_path}/elsewhere/masthead.db" in result.stderr
        assert "MASTHEAD_CONFIG" in result.stderr
        assert not (tmp_path / "elsewhere").exists()


def test_one_variable_names_the_configuration_of_every_command(
    run: Run, environ: dict[str, str], tmp_path: Path
) -> None:
    config = tmp_path / "masthead.ini"
    config.write_text("[app:main]\nmasthead.data = %(here)s/named\n")
    for name in ("MASTHEAD_DATA", "MASTHEAD_DATABASE_URL"):
        environ.pop(name, None)
    environ["MASTHEAD_CONFIG"] = str(config)

    assert f"sqlite:///{tmp_path}/named/masthead.db" in run("db", "upgrade").stdout
    assert run("db", "status").exit_code == 0
    environ["MASTHEAD_CONFIG"] = str(tmp_path / "missing.ini")
    assert "missing.ini' does not exist" in run("db", "status").stderr
