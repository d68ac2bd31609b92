"""A wrong setting is refused in one line with its remedy, before anything is touched."""

from __future__ import annotations

import builtins
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import plaster
import pytest
from click.testing import Result

from masthead.errors import StartError

Run = Callable[..., Result]
USE = "use = egg:masthead-core"

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
    "a path of SQLite after two slashes": (
        {"MASTHEAD_DATABASE_URL": "sqlite://folder/masthead.db"},
        ("The database URL must name a file, as sqlite:///folder/file does",),
    ),
    "a short secret": (
        {"MASTHEAD_AUTH_SECRETS": "hush"},
        ("MASTHEAD_AUTH_SECRETS: expected secrets of at least 32 bytes", "openssl rand -hex 32"),
    ),
    "a sample of a secret": (
        {"MASTHEAD_AUTH_SECRETS": "hush-change-me-hush-change-me-hush"},
        ("MASTHEAD_AUTH_SECRETS: expected secrets", "that no sample shows"),
    ),
    "the placeholder of a secret": (
        {"MASTHEAD_AUTH_SECRETS": "<hush-at-least-32-random-characters>"},
        ("MASTHEAD_AUTH_SECRETS: expected secrets", "that no sample shows"),
    ),
    "a file that is no database": (
        {"MASTHEAD_DATABASE_URL": "sqlite:///{file}"},
        ("can't be reached: {file} is no SQLite database", "masthead.database.url"),
    ),
}
OF_THE_MACHINE = frozenset(
    (
        "a data folder below a file",
        "a database in a folder that can't be made",
        "a file that is no database",
    )
)
"""Well-formed values that a machine may accept later, for example after a mount."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    made = tmp_path / "notes.txt"
    made.write_text("no database, and no folder\n" * 100)
    return made


@pytest.mark.parametrize(
    ("command", "service"),
    [
        (["serve", "--port", "0"], {}),
        (["serve", "--port", "0"], {"NOTIFY_SOCKET": "/nowhere"}),
        (["db", "upgrade"], {}),
    ],
)
def test_each_wrong_setting_is_refused_in_one_line_and_nothing_is_made(
    run: Run,
    environ: dict[str, str],
    tmp_path: Path,
    file: Path,
    command: list[str],
    service: dict[str, str],
) -> None:
    before = environ | service
    for name, (wrong, expected) in WRONG.items():
        environ.clear()
        environ.update(before | {key: value.format(file=file) for key, value in wrong.items()})

        result = run(*command)

        *_, last = result.stderr.splitlines()
        is_final = "NOTIFY_SOCKET" in service and name not in OF_THE_MACHINE
        assert result.exit_code == (78 if is_final else 1), name
        assert last.startswith("Error: "), name
        for part in expected:
            assert part.format(file=file) in last, name
        assert "hush" not in result.output, name
        assert "password:" not in result.output, name
        made = [each for each in tmp_path.rglob("*") if each.name not in ("data", file.name)]
        assert made == [], name


MISPLACED: dict[str, tuple[str, str]] = {
    "a misspelt prefix": (
        "[app:main]\nmasthed.database.url = {url}\n",
        "unknown setting masthed.database.url; did you mean masthead.database.url?",
    ),
    "no prefix": (
        "[app:main]\ndatabase.url = {url}\n",
        "unknown setting database.url; did you mean masthead.database.url?",
    ),
    "underscores": (
        "[app:main]\nmasthead_base_url = https://api.example.org\n",
        "unknown setting masthead_base_url; did you mean masthead.base_url?",
    ),
    "defaults of all sections, which PasteDeploy ignores": (
        "[DEFAULT]\nmasthead.database.url = {url}\n[app:main]\nmasthead.database.url = {url}\n",
        "is in the section [DEFAULT], where nothing reads it; move it to [app:main]",
    ),
    "the last section of the file": (
        "[app:main]\n[server:main]\nuse = egg:waitress#main\nmasthead.database.url = {url}\n",
        "masthead.database.url is in the section [server:main], where nothing reads it",
    ),
    "no section of an application": (
        "[server:main]\nuse = egg:waitress#main\n",
        "has no section [app:main]",
    ),
}
"""Files whose database would be missed, and the refusal of each."""


@pytest.mark.parametrize(
    "command",
    [["serve", "--port", "0"], ["db", "upgrade"], ["settings"], ["worker"], ["doctor", "--json"]],
)
def test_a_setting_that_nothing_reads_never_leads_to_another_database(
    run: Run, environ: dict[str, str], tmp_path: Path, command: list[str]
) -> None:
    for name in ("MASTHEAD_DATABASE_URL", "MASTHEAD_DATA"):
        environ.pop(name, None)
    config = tmp_path / "masthead.ini"
    for name, (content, expected) in MISPLACED.items():
        config.write_text(content.format(url="postgresql://club:hush@127.0.0.1:9/club"))

        result = run(*command, "-c", config)

        assert result.exit_code == (2 if command[0] == "doctor" else 1), name
        assert expected in result.output, name
        assert "hush" not in result.output, name
        assert list(tmp_path.iterdir()) == [config], name


def test_a_key_that_may_belong_to_somebody_else_is_told(
    run: Run, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    config = tmp_path / "masthead.ini"
    config.write_text("[app:main]\nuse = egg:masthead-core\nsqlalchemy.url = sqlite://\n")

    run("db", "upgrade", "-c", config)
    found = json.loads(run("doctor", "--json", "-c", config).stdout)["checks"]

    assert "Nothing reads the key sqlalchemy.url of the configuration file" in caplog.text
    (unknown,) = [each["text"] for each in found if each["name"] == "settings.unknown"]
    assert "Nothing reads the key sqlalchemy.url" in unknown


def test_pserve_refuses_a_misplaced_setting(tmp_path: Path) -> None:
    config = tmp_path / "masthead.ini"
    for content, expected in MISPLACED.values():
        config.write_text(content.format(url="").replace("[app:main]", f"[app:main]\n{USE}"))
        if USE in config.read_text():
            with pytest.raises(StartError, match=re.escape(expected)):
                plaster.get_loader(str(config), ["wsgi"]).get_wsgi_app()


@pytest.mark.slow
def test_a_port_that_only_root_may_use_is_refused_before_anything_is_made(
    environ: dict[str, str], program: list[str]
) -> None:
    free = Path("/proc/sys/net/ipv4/ip_unprivileged_port_start")
    if not free.exists() or int(free.read_text()) <= 80 or not shutil.which("setpriv"):
        pytest.skip("this machine has no such ports, or no setpriv")
    without = "-net_bind_service"
    powerless = ["setpriv", f"--inh-caps={without}", f"--bounding-set={without}"]
    command = [*(powerless if os.geteuid() == 0 else []), *program, "serve", "--port", "80"]

    result = subprocess.run(command, env=environ, capture_output=True, check=False, text=True)

    assert result.returncode == 1
    assert "Error: can't listen on 127.0.0.1 port 80: a port below 1024 needs" in result.stderr
    assert not Path(environ["MASTHEAD_DATA"]).exists()


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
