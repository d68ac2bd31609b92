"""A wrong transport stops the start in one line, before anything is made."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from masthead.cli import main

WRONG = {
    "mail.example.org:587": "no transport for mail.example.org:; known are smtp, smtps, file, log",
    "mail.example.org": "expected an address such as smtp://user:password@host:587",
    "smtp://mail.example.org?tsl=starttls": "no options but tls=starttls (of smtp) and authority=",
    "smtp://ada@mail.example.org": "expected user and password, or neither",
    "smtp://mail.example.org/inbox": "expected an address with a host and no path",
}


@pytest.mark.parametrize("command", ["serve --port 0", "db upgrade"])
@pytest.mark.parametrize(("transport", "said"), WRONG.items())
def test_a_wrong_transport_is_refused_before_anything_is_made(
    command: str, transport: str, said: str, tmp_path: Path
) -> None:
    variables: dict[str, str | None] = {
        name: None for name in os.environ if name.startswith("MASTHEAD_")
    }
    variables |= {
        "MASTHEAD_DATA": str(tmp_path / "data"),
        "MASTHEAD_PLUGINS": "email",
        "MASTHEAD_EMAIL_TRANSPORT": transport,
    }

    result = CliRunner().invoke(main, command.split(), env=variables)

    *_, last = result.stderr.splitlines()
    assert result.exit_code == 1
    assert last.startswith("Error: ")
    assert "MASTHEAD_EMAIL_TRANSPORT" in last or "masthead.email.transport" in last
    assert said in last
    assert "password:" not in result.output
    assert list(tmp_path.iterdir()) == []
