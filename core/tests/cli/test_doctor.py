"""``masthead doctor`` names the cause of each fault with a remedy, and changes nothing."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from sqlalchemy import text

from masthead.instance import Instance, open_instance

pytestmark = pytest.mark.product

Run = Callable[..., Result]
Fault = Callable[["Machine"], Any]
EXPECTED = {"worker", "python", "database.version"}
"""Checks that fail on a machine without a worker, with an old Python or SQLite."""
POSTGRESQL = "postgresql://masthead:password@127.0.0.1:9/masthead"
SECRET = "5e8b7f0a4b7c4c0e9a3e0d6d1f2a9b48"


class Machine:
    """An instance on which a test causes faults."""

    def __init__(self, environ: dict[str, str]) -> None:
        self.environ = environ
        self.data = Path(environ["MASTHEAD_DATA"])
        self.file = self.data / "masthead.db"

    @contextmanager
    def opened(self) -> Iterator[Instance]:
        instance = open_instance({}, self.environ)
        try:
            yield instance
        finally:
            instance.close()

    def execute(self, *statements: str) -> None:
        with self.opened() as instance, instance.database.transaction() as session:
            for each in statements:
                session.execute(text(each))


@pytest.fixture
def machine(run: Run, environ: dict[str, str]) -> Machine:
    assert run("db", "upgrade").exit_code == 0
    return Machine(environ)


@pytest.fixture
def findings(run: Run) -> Callable[..., dict[str, dict[str, str]]]:
    def ask(*options: str, status: int | None) -> dict[str, dict[str, str]]:
        result = run("doctor", "--json", *options)
        assert status in (None, result.exit_code), result.output
        found = json.loads(result.stdout)["checks"]
        return {each["name"]: each for each in found}

    return ask


def failing_job(machine: Machine) -> None:
    machine.execute(
        "INSERT INTO core_job (name, due_at, runs, failures, last_error)"
        " VALUES ('audit.retention', '2026-01-01 00:00:00', 0, 3, 'ValueError: odd')"
    )


def forgotten_revision(machine: Machine) -> None:
    with machine.opened() as instance, instance.database.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version_core SET version_num = '0008'"))


def texts_of(machine: Machine) -> Path:
    folder = machine.data / "texts"
    (folder / "translations").mkdir(parents=True)
    catalogue = folder / "translations" / "de.po"
    catalogue.write_text('msgid "Unsubscribe"\nmsgstr "Abmelden %(nmae)s"\n')
    return folder


FAULTS: dict[str, tuple[Fault, str, str, str]] = {
    "a variable with a typo": (
        lambda it: it.environ.update(MASTHEAD_SERVER_PROT="80"),
        "settings.unknown",
        "did you mean MASTHEAD_SERVER_PORT?",
        "correct or remove it",
    ),
    "a folder of texts that is missing": (
        lambda it: it.environ.update(MASTHEAD_TEXTS=str(it.data / "texts")),
        "texts.unused",
        "/texts, but there is no such folder",
        "correct masthead.texts or the file",
    ),
    "a translation with a value that its text lacks": (
        lambda it: it.environ.update(MASTHEAD_TEXTS=str(texts_of(it))),
        "texts",
        "there is no value %(nmae)s for this text",
        "correct the file",
    ),
    "the password of a sample": (
        lambda it: it.environ.update(MASTHEAD_DATABASE_URL=POSTGRESQL),
        "settings.samples",
        "the password of a sample is in masthead.database.url",
        "choose another",
    ),
    "settings that contradict each other": (
        lambda it: it.environ.update(MASTHEAD_SERVER_MAX_BODY="2000"),
        "settings",
        "masthead.json.max_body is 2097152, but masthead.server.max_body is only 2000; raise",
        "",
    ),
    "a proxy that isn't trusted": (
        lambda it: it.environ.update(MASTHEAD_BASE_URL="https://api.example.org"),
        "proxy",
        "masthead.server.trusted_proxies is blank: all visitors count as one address",
        "set masthead.server.trusted_proxies",
    ),
    "a data folder that can't be written": (
        lambda it: shutil.rmtree(it.data) or it.data.write_text(""),
        "data.folder",
        "/data: not a directory",
        "own the folder",
    ),
    "a data folder that others can read": (
        lambda it: it.data.chmod(0o755),
        "data.private",
        "other users may read ",
        "chmod go=",
    ),
    "a secret that was deleted": (
        lambda it: it.environ.update(MASTHEAD_AUTH_SECRETS="") or unlink(it.data / "auth.secret"),
        "secrets",
        "",
        "masthead db upgrade makes the file",
    ),
    "a job that fails": (
        failing_job,
        "jobs",
        "audit.retention failed 3 times in a row: ValueError: odd",
        "the log of the worker",
    ),
    "tables of a plugin that isn't enabled": (
        lambda it: it.execute(
            "CREATE TABLE alembic_version_podcasts (version_num VARCHAR(32) NOT NULL)",
            "INSERT INTO alembic_version_podcasts VALUES ('0001')",
        ),
        "database.plugins",
        "tables of podcasts have no enabled plugin",
        "masthead.plugins",
    ),
    "a column that was dropped by hand": (
        lambda it: it.execute("ALTER TABLE core_job DROP COLUMN last_run_at"),
        "database.tables",
        "the database lacks core_job.last_run_at",
        "masthead db upgrade",
    ),
    "tables of an older version": (
        forgotten_revision,
        "migrations",
        "the tables of core lack a revision",
        "masthead db upgrade",
    ),
}
ON_SQLITE: dict[str, tuple[Fault, str, str, str]] = {
    "an old secret": (
        lambda it: os.utime(it.data / "auth.secret", (0, 0)),
        "secrets.age",
        "the secret in auth.secret is ",
        "change the secret",
    ),
    "a database that was moved away": (
        lambda it: it.file.rename(it.data / "old.db"),
        "database",
        "there is no file ",
        "",
    ),
    "another file in place of the database": (
        lambda it: it.file.write_bytes(b"PK\3\4" * 1000),
        "database",
        "masthead.db is no SQLite database",
        "",
    ),
}


EFFECTS = {
    "a translation with a value that its text lacks": {"texts.unused"},
    "the password of a sample": {"database", "secrets"},
    "a data folder that can't be written": {"database", "writes", "secrets", "data.private"},
}
"""Further checks that fail because of a fault."""


def unlink(file: Path) -> None:
    file.unlink(missing_ok=True)


@pytest.mark.usefixtures("machine")
def test_a_healthy_instance_has_no_findings(
    run: Run, findings: Callable[..., Any], tmp_path: Path
) -> None:
    assert run("backup", str(tmp_path / "backup.zip")).exit_code == 0

    found = findings(status=1)

    assert {name for name, each in found.items() if each["text"]} <= EXPECTED
    assert found["worker"]["level"] == "error"
    table = run("doctor").stdout.splitlines()
    assert table[0].split() == ["STATUS", "CHECK", "PROBLEM", "REMEDY"]
    assert [line.split()[1] for line in table[1:]] == list(found)


def test_each_fault_is_named_by_its_cause_with_a_remedy(
    machine: Machine, findings: Callable[..., Any], tmp_path: Path
) -> None:
    on_sqlite = "MASTHEAD_DATABASE_URL" not in machine.environ
    healthy, kept = dict(machine.environ), tmp_path / "kept"
    earlier = set[str]()
    shutil.copytree(machine.data, kept)
    # PostgreSQL keeps the faults, whose order is chosen accordingly.
    for fault, (cause, check, words, remedy) in (FAULTS | (ON_SQLITE if on_sqlite else {})).items():
        cause(machine)

        every = findings(status=None)
        found = every.pop(check)

        assert found["level"] in ("warning", "error"), fault
        others = {each["name"] for each in every.values() if each["level"] in ("warning", "error")}
        assert others <= EXPECTED | {"backup"} | EFFECTS.get(fault, set()) | earlier, fault
        if not on_sqlite:
            earlier.add(check)
        assert words in found["text"], fault
        assert remedy in found["remedy"], fault
        machine.environ.clear()
        machine.environ.update(healthy)
        shutil.rmtree(machine.data, ignore_errors=True)
        machine.data.unlink(missing_ok=True)
        shutil.copytree(kept, machine.data)


def test_a_nearly_full_disk_is_a_warning(
    machine: Machine, findings: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = shutil.disk_usage(machine.data)
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: real._replace(total=10**12, free=10**8))

    found = findings(status=None)["data.space"]

    assert found["level"] == "warning"
    assert f"the disk of {machine.data} has only 95 MiB left" in found["text"]


@pytest.mark.slow
def test_a_low_limit_of_open_files_is_a_warning(machine: Machine, program: list[str]) -> None:
    limited = ["sh", "-c", 'ulimit -n 600 && exec "$@"', "sh", *program, "doctor", "--json"]

    result = subprocess.run(limited, env=machine.environ, capture_output=True, check=False)

    found = {each["name"]: each for each in json.loads(result.stdout)["checks"]}["server.files"]
    assert found["level"] == "warning"
    assert found["text"] == "the limit of open files (600) allows fewer connections than set"
    assert "LimitNOFILE" in found["remedy"]


@pytest.mark.slow
def test_a_running_server_adds_what_only_it_meets(
    machine: Machine, findings: Callable[..., Any], serve: Callable[..., Any]
) -> None:
    machine.environ["MASTHEAD_SERVER_PROT"] = "80"
    address = serve().wait_until_it_answers()
    del machine.environ["MASTHEAD_SERVER_PROT"]
    host, port = address.removeprefix("http://").split(":")

    by_url = findings("--url", address, status=None)["settings.unknown"]
    machine.environ |= {"MASTHEAD_SERVER_HOST": host, "MASTHEAD_SERVER_PORT": port}
    here = findings(status=None)["settings.unknown"]
    machine.environ["MASTHEAD_AUTH_SECRETS"] = SECRET[::-1]
    foreign = findings(status=None)["settings.unknown"]

    assert by_url == here
    assert here["level"] == "warning"
    assert here["text"].startswith(f"in the server at {address}: ")
    assert "did you mean MASTHEAD_SERVER_PORT?" in here["text"]
    assert "correct or remove it" in here["remedy"]
    assert foreign["level"] == "ok"


def test_without_the_database_it_goes_on_and_says_so_once(
    machine: Machine, run: Run, findings: Callable[..., Any]
) -> None:
    machine.environ.update(
        MASTHEAD_DATABASE_URL="postgresql://masthead:hush-hush@127.0.0.1:9/masthead",
        MASTHEAD_AUTH_SECRETS=SECRET,
    )
    found = findings(status=1)

    errors = [name for name, each in found.items() if each["level"] == "error"]
    skipped = [name for name, each in found.items() if each["level"] == "skipped"]
    assert errors == ["database"]
    assert "database.listen" in skipped
    assert "127.0.0.1" in found["database"]["text"]
    assert {"migrations", "worker", "jobs", "database.tables"} <= set(skipped)
    output = run("doctor").output
    assert f"not checked without the database: {', '.join(skipped)}" in output
    assert "hush-hush" not in output
    assert SECRET not in output


def test_settings_that_cannot_be_used_are_one_finding(
    machine: Machine, findings: Callable[..., Any], run: Run
) -> None:
    machine.environ["MASTHEAD_SERVER_PORT"] = "http"

    found = findings(status=2)

    assert list(found) == ["settings"]
    assert found["settings"]["text"].startswith("MASTHEAD_SERVER_PORT: expected a whole number")
    assert run("doctor", "--url", "api.example.org").exit_code == 2


def test_a_new_instance_stays_unmade(run: Run, environ: dict[str, str]) -> None:
    result = run("doctor")

    assert result.exit_code == 1
    assert "masthead db upgrade" in result.stdout
    assert not Path(environ["MASTHEAD_DATA"]).exists()
