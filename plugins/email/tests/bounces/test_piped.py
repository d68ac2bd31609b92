"""``masthead mail bounces`` in the pipe of a mail server: its exit status is one of sysexits.h."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from masthead.cli import main

MAIL = b"From: a@example.net\nTo: b@example.org\n\nHello\n"


@pytest.fixture
def pipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Return a function that pipes a message, as a mail server in an empty folder does."""
    for name in [name for name in os.environ if name.startswith("MASTHEAD_")]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, mail: bytes = MAIL, **environ: Any) -> Result:
        variables = {name: str(value) for name, value in environ.items()}
        return CliRunner().invoke(main, ["mail", "bounces", *arguments], input=mail, env=variables)

    return run


def test_the_status_tells_a_mail_server_whether_to_try_again(
    pipe: Callable[..., Result], tmp_path: Path
) -> None:
    config, broken = tmp_path / "masthead.ini", tmp_path / "broken.ini"
    config.write_text("[app:main]\nmasthead.data = %(here)s/data\nmasthead.plugins = email\n")
    broken.write_text("[app:main\n")
    named = {"MASTHEAD_CONFIG": config}
    away = {**named, "MASTHEAD_DATABASE_URL": "postgresql://masthead:x@127.0.0.1:9/masthead"}
    # Without a configuration, there is no database, and none is made.
    results = [("no database", pipe(), os.EX_TEMPFAIL), ("not made", pipe(**named), os.EX_TEMPFAIL)]
    assert sorted(tmp_path.iterdir()) == [broken, config]
    assert CliRunner().invoke(main, ["db", "upgrade", "-c", str(config)]).exit_code == 0
    results += [
        ("processed", pipe(**named), os.EX_OK),
        ("database away", pipe(**away), os.EX_TEMPFAIL),
        ("no message", pipe(mail=b"", **named), os.EX_NOINPUT),
        ("too large", pipe(mail=b"x" * 30_000_000, **named), os.EX_DATAERR),
        ("no file", pipe("missing.eml", **named), os.EX_NOINPUT),
        ("missing ini", pipe(MASTHEAD_CONFIG=tmp_path / "no.ini"), os.EX_CONFIG),
        ("broken ini", pipe(MASTHEAD_CONFIG=broken), os.EX_CONFIG),
        ("wrong setting", pipe(MASTHEAD_EMAIL_RATE="fast", **named), os.EX_CONFIG),
        ("wrong option", pipe("--mailboxes", **named), os.EX_USAGE),
    ]

    assert {name: result.exit_code for name, result, _ in results} == {
        name: code for name, _, code in results
    }
    for name, result, code in results:
        assert "Traceback" not in result.output, name
        assert code == 0 or result.stderr.splitlines()[-1].startswith(("Error: ", "the mess")), name
