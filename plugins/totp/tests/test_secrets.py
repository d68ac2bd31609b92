"""Secrets of apps, which are encrypted with the secrets of the instance."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pyotp
import pytest
from click.testing import CliRunner, Result
from webtest import TestApp

from masthead import Instance
from masthead.auth.tokens import SECRETS
from masthead.cli import main
from masthead.instance import open_instance
from masthead.testing import Clock
from masthead.web.app import make_app
from masthead.worker.jobs import jobs_of

pytestmark = pytest.mark.product

PASSWORD = "correct horse battery staple"
OLD, NEW, OTHER = (f"{digit}7e23ec29af22b0b4e41da31e868d572" for digit in "123")

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command with an instance of its own, whose only users are ada and admin."""
    monkeypatch.setenv("MASTHEAD_DATABASE_URL", f"sqlite:///{tmp_path}/site.db")
    monkeypatch.setenv("MASTHEAD_DATA", str(tmp_path))
    monkeypatch.setenv("MASTHEAD_PLUGINS", "totp")

    def invoke(*arguments: str, status: int = 0, **options: Any) -> Result:
        result = CliRunner().invoke(main, list(arguments), **options)
        assert result.exit_code == status, result.output
        return result

    invoke("db", "upgrade")
    for name in ("ada", "admin"):
        invoke("user", "add", name, "--role", "admin", "--password-stdin", input=PASSWORD)
    return invoke


@contextmanager
def server() -> Iterator[TestApp]:
    """Start an app with the present environment."""
    opened: list[Instance] = []
    yield TestApp(make_app({}, os.environ, opened.append))
    opened[0].close()


def log_in(status: int = 200, **code: str) -> Any:
    with server() as app:
        body = {"username": "ada", "password": PASSWORD, **code}
        return app.post_json("/api/auth/login", body, status=status).json


class App:
    """The authenticator app of ada; it never shows a code twice."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        with server() as app:
            body = {"username": "ada", "password": PASSWORD}
            app.authorization = ("Bearer", app.post_json("/api/auth/login", body).json["token"])
            setup = app.post_json("/api/auth/totp", {"currentPassword": PASSWORD}).json
            self.secret, self.recovery_codes = setup["secret"], setup["recoveryCodes"]
            app.post_json("/api/auth/totp/confirm", {"code": self.code()})

    def code(self) -> str:
        self._clock.shift(seconds=90)
        return pyotp.TOTP(self.secret).at(self._clock.now())


def test_a_rotation_of_the_file_locks_nobody_out(clock: Clock, run: Run) -> None:
    own = App(clock)

    for step in (["add"], ["sign"], ["drop", "--now"], ["add"], ["sign"], ["drop", "--now"]):
        run("secrets", "rotate", *step)
        log_in(code=own.code())


def test_a_rotation_of_the_setting_locks_nobody_out(
    clock: Clock, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SECRETS.variable, OLD)
    own = App(clock)

    for secrets in (f"{OLD} {NEW}", f"{NEW} {OLD}"):
        monkeypatch.setenv(SECRETS.variable, secrets)
        log_in(code=own.code())
    run("secrets", "rotate", "drop")
    monkeypatch.setenv(SECRETS.variable, NEW)
    log_in(code=own.code())


@pytest.mark.usefixtures("run")
def test_the_worker_encrypts_with_the_new_secret(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SECRETS.variable, OLD)
    own = App(clock)
    monkeypatch.setenv(SECRETS.variable, f"{NEW} {OLD}")

    with closing(open_instance({})) as instance, instance.database.transaction() as session:
        [job] = (each for each in jobs_of(instance) if each.name == "auth.sealed")
        job.run(session)

    monkeypatch.setenv(SECRETS.variable, NEW)
    log_in(code=own.code())


def test_an_app_whose_secret_is_lost_lets_nobody_in(
    clock: Clock, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SECRETS.variable, OLD)
    own = App(clock)
    monkeypatch.setenv(SECRETS.variable, OTHER)

    log_in(401)
    assert "can't be checked" in log_in(400, code=own.code())["error"]
    assert "can't be checked" in log_in(400, code="000000")["error"]
    log_in(code=own.recovery_codes[0])
    doctor = run("doctor", "--json", status=1).output
    assert "no secret decrypts the values of these rows: 1 of totp_enrolment" in doctor
    monkeypatch.setenv(SECRETS.variable, f"{OTHER} {OLD}")
    log_in(code=own.code())
    monkeypatch.setenv(SECRETS.variable, NEW)
    assert run("totp", "reset", "--unreadable").output == "Removed 1 authenticator apps\n"
    assert run("totp", "reset", "--unreadable").output == "Removed 0 authenticator apps\n"
    log_in()


def test_a_restore_keeps_the_apps_if_the_secret_is_the_same(
    clock: Clock, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = App(clock)
    run("backup", str(tmp_path / "backup.zip"))
    secret = (tmp_path / "auth.secret").read_bytes()
    copy = tmp_path / "copy"
    copy.mkdir()
    monkeypatch.setenv("MASTHEAD_DATABASE_URL", f"sqlite:///{copy}/site.db")
    monkeypatch.setenv("MASTHEAD_DATA", str(copy))

    restored = run("restore", str(tmp_path / "backup.zip")).output

    assert "Authenticator apps can't be checked (1), because the secrets are others" in restored
    log_in(400, code=own.code())
    (copy / "auth.secret").write_bytes(secret)
    log_in(code=own.code())


def test_the_app_of_a_disabled_user_is_reset(clock: Clock, run: Run) -> None:
    App(clock)
    run("user", "disable", "ada")

    for wrong, status in ((("ADA", "--unreadable"), 2), ((), 2), (("nobody",), 1)):
        run("totp", "reset", *wrong, status=status)
    told = run("totp", "reset", "ada").output

    assert told == (
        "ada is disabled; once enabled again, ada logs in without a code, or sets up a new app\n"
    )
    run("user", "enable", "ada")
    log_in()
    assert "no authenticator app" in run("totp", "reset", "ada", status=1).output
