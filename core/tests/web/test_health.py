from __future__ import annotations

import re
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import time_machine
from sqlalchemy import text
from webtest import TestApp

from masthead.auth.tokens import secret_file
from masthead.cli.first_start import prepare
from masthead.core_plugin import plugin as core
from masthead.errors import StartError
from masthead.hookspecs import hookimpl
from masthead.instance import Check, Instance, open_instance
from masthead.plugins import Plugin, installed
from masthead.testing.client import Client
from masthead.web.app import app_of
from masthead.web.health import Readiness
from masthead.worker.heartbeat import beat


class Moody:
    """Hooks of a plugin with a check whose result the test sets."""

    def __init__(self) -> None:
        self.mood: str | Exception | None = None
        self.weather: str | None = None
        self.sea: str | None = None
        self.answers = threading.Event()
        self.answers.set()
        self.asked = 0

    @hookimpl
    def masthead_checks(self) -> list[Check]:
        return [
            Check("mood", self.trouble, remedy="cheer up"),
            Check("weather", lambda _instance: self.weather, readiness=False),
            Check("sea", lambda _instance: self.sea, needed=False),
        ]

    def trouble(self, _instance: Instance) -> str | None:
        self.asked += 1
        self.answers.wait(60)
        if isinstance(self.mood, Exception):
            raise self.mood
        return self.mood


@pytest.fixture
def moody() -> Moody:
    return Moody()


@pytest.fixture
def plugins(moody: Moody) -> Sequence[str | Plugin]:
    return (Plugin(name="moody", hooks=(moody,)),)


@pytest.fixture(autouse=True)
def living_worker(instance: Instance) -> None:
    beat(instance.database, "one")


@pytest.fixture(autouse=True)
def fresh_results(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each request run the checks, except in the test of the kept result."""
    monkeypatch.setattr(Readiness, "kept_seconds", 0.0)


def unreachable(url: str, data: str) -> TestApp:
    ini = {
        "masthead.data": data,
        "masthead.database.url": url,
        "masthead.plugins": "core",
        "masthead.auth.secrets": "0123456789abcdefghijklmnopqrstuvwxyz",
    }
    return TestApp(app_of(open_instance(ini, {}, {"core": installed()["core"]})))


def test_a_process_that_answers_is_healthy(app: Client) -> None:
    answer = app.get("/healthz")

    assert answer.json == {"status": "ok"}
    assert answer.headers["Cache-Control"] == "no-store"


def test_an_instance_whose_checks_are_content_is_ready(app: Client) -> None:
    answer = app.get("/readyz")

    names = ("database", "migrations", "writes", "clock", "secrets", "mood", "sea")
    checks = dict.fromkeys(names, "ok")
    assert answer.json == {"status": "ok", "checks": checks}
    assert answer.headers["Cache-Control"] == "no-store"


def test_a_plugins_check_says_why_the_instance_is_not_ready(app: Client, moody: Moody) -> None:
    moody.mood = "has left"

    answer = app.get("/readyz", status=503)

    assert answer.json == {"error": "mood: has left"}
    assert answer.headers["Retry-After"] == "5"


def test_a_check_that_breaks_is_no_reason_to_show_why(
    app: Client, moody: Moody, caplog: pytest.LogCaptureFixture
) -> None:
    moody.mood = RuntimeError("secret path")

    assert app.get("/readyz", status=503).json == {"error": "mood: can't be checked"}
    assert "secret path" in caplog.text


def test_a_readiness_is_remembered_for_a_moment_only(
    app: Client, moody: Moody, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = moody.asked
    app.get("/readyz")
    monkeypatch.setattr(Readiness, "kept_seconds", 60.0)
    for _ in range(5):
        app.get("/readyz")
    assert moody.asked == asked + 1
    monkeypatch.setattr(Readiness, "kept_seconds", 0.2)
    moody.mood = "has left"
    time.sleep(0.2)
    app.get("/readyz", status=503)
    moody.mood = None
    time.sleep(0.2)

    app.get("/readyz")


def test_a_check_that_reads_go_on_without_is_shown_but_keeps_the_instance_ready(
    app: Client, moody: Moody
) -> None:
    moody.sea = "rough"

    assert app.get("/readyz").json["checks"]["sea"] == "rough"
    assert app.as_role("admin").get("/status").json["status"] == "trouble"


@pytest.mark.slow
def test_a_check_that_hangs_is_given_up_and_not_started_again(app: Client, moody: Moody) -> None:
    moody.answers.clear()
    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(lambda _: app.get("/readyz", status=503), range(4)))
    answers.append(app.get("/readyz", status=503))

    assert {answer.json["error"] for answer in answers} == {"mood: no result in 5 seconds"}
    assert moody.asked == 1
    moody.answers.set()


def test_tables_that_are_older_than_the_code_make_the_instance_wait(
    app: Client, instance: Instance
) -> None:
    set_revision(instance, None)

    answer = app.get("/readyz", status=503)

    assert answer.json == {
        "error": "migrations: the tables of core lack a revision; run masthead db upgrade"
    }


def test_tables_that_are_newer_than_the_code_are_ready(app: Client, instance: Instance) -> None:
    set_revision(instance, "9999")

    app.get("/readyz")


def test_a_database_that_cannot_be_reached_is_named_without_its_address(tmp_path: Any) -> None:
    app = unreachable("postgresql://somebody:hush@127.0.0.1:1/nowhere", str(tmp_path))

    app.get("/healthz")
    answer = app.get("/readyz", status=503)

    # The other checks fail as a consequence only.
    assert re.fullmatch(
        r"database: the database can't be reached( for \d+ s)?", answer.json["error"]
    )
    assert "hush" not in answer.text
    assert "127.0.0.1" not in answer.text


def test_readiness_needs_a_usable_secret(tmp_path: Path) -> None:
    opened = open_instance({"masthead.data": str(tmp_path)}, {}, {"core": core})
    prepare(opened)
    beat(opened.database, "one")
    app, file = TestApp(app_of(opened)), secret_file(opened)
    good = file.read_text()

    def trouble() -> str:
        error: str = app.get("/readyz", status=503).json["error"]
        assert str(tmp_path) not in error
        return error

    file.unlink()
    assert trouble().startswith("secrets: auth.secret is missing; masthead db upgrade makes one")
    for unusable in ("", " \n", "short", "é" * 40, f"{good} short"):
        file.write_text(unusable)
        assert trouble().startswith("secrets: auth.secret holds none that can be used")
    file.unlink()
    file.mkdir()
    assert trouble().startswith("secrets: auth.secret holds none that can be used")
    file.rmdir()

    prepare(opened)
    app.get("/readyz")
    opened.close()


def set_revision(instance: Instance, revision: str | None) -> None:
    with instance.database.transaction() as session:
        session.execute(text("DELETE FROM alembic_version_core"))
        if revision:
            session.execute(text("INSERT INTO alembic_version_core VALUES (:it)"), {"it": revision})


def test_status_shows_all_checks_to_administrators(app: Client, moody: Moody) -> None:
    moody.mood = "sad"
    answer = app.as_role("admin").get("/status").json
    assert answer["status"] == "trouble"
    assert answer["checks"]["mood"] == "sad"
    assert answer["checks"]["database"] == "ok"
    assert answer["remedies"]["mood"] == "cheer up"
    assert "database" not in answer["remedies"]
    moody.mood = None
    assert app.as_role("admin").get("/status").json["status"] == "ok"
    app.as_role("editor").get("/status", status=403)
    app.get("/status", status=401)


def test_a_check_that_does_not_concern_readiness_is_only_in_the_status(
    app: Client, moody: Moody
) -> None:
    moody.weather = "rain"
    assert "weather" not in app.get("/readyz").json["checks"]
    assert app.as_role("admin").get("/status").json["checks"]["weather"] == "rain"


def test_a_clock_that_is_off_is_named_and_does_not_empty_the_load_balancer(
    app: Client, instance: Instance
) -> None:
    def shown() -> str:
        return str(app.get("/readyz").json["checks"]["clock"])

    with time_machine.travel(datetime.now(UTC) + timedelta(seconds=50)):
        assert shown() == "ok"
    for seconds, expected in ((180, "ahead of"), (-180, "behind")):
        with time_machine.travel(datetime.now(UTC) + timedelta(seconds=seconds)):
            clock = shown()
        if instance.database.dialect == "sqlite":
            assert clock == "ok"
        else:
            pattern = rf"this machine's clock is 1(79|80|81) s {expected} the database's"
            assert re.fullmatch(pattern, clock)


def test_a_database_that_is_read_only_is_named(app: Client, instance: Instance) -> None:
    database = instance.database
    if database.dialect == "sqlite":
        pytest.skip("SQLite has no such state")
    name = database.url.database
    with database.transaction() as session:
        session.execute(text(f'ALTER DATABASE "{name}" SET default_transaction_read_only = on'))
    database.dispose()
    try:
        shown = app.get("/readyz").json["checks"]["writes"]
        refused = app.post_json("/api/auth/logout", {}, status="*")
    finally:
        with database.transaction() as session:
            session.execute(text("SET TRANSACTION READ WRITE"))
            session.execute(text(f'ALTER DATABASE "{name}" RESET default_transaction_read_only'))
        database.dispose()

    assert shown == "the database is set to read-only; reads go on"
    assert refused.status_code in (200, 503)


def test_a_monitor_reads_the_status_by_its_token(database_url: str, tmp_path: Path) -> None:
    ini = {
        "masthead.data": str(tmp_path),
        "masthead.database.url": database_url,
        "masthead.auth.secrets": "0123456789abcdefghijklmnopqrstuvwxyz",
        "masthead.status.token": "Zm9vYmFyYmF6cXV4cXV1eA==",
    }
    opened = open_instance(ini, {}, {"core": core})
    app = TestApp(app_of(opened))

    def ask(token: str, path: str = "/status") -> int:
        answer = app.get(path, headers={"Authorization": f"Bearer {token}"}, status="*")
        return int(answer.status_code)

    assert ask(ini["masthead.status.token"]) == 200
    assert ask("Zm9vYmFyYmF6cXV4cXV1eA") == ask("") == ask("é") == 401
    assert ask(ini["masthead.status.token"], "/api/staff/users") == 401
    opened.close()
    for short in ("short", "with blanks in the middle of it"):
        with pytest.raises(StartError, match=r"masthead\.status\.token"):
            open_instance({**ini, "masthead.status.token": short}, {}, {"core": core})
