"""``masthead secrets rotate``: tokens stay valid on all servers at each step."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from masthead.auth import tokens
from masthead.auth.setup import make_secrets
from masthead.auth.tokens import SECRETS, Tokens, secret_file
from masthead.cli import main
from masthead.instance import Instance, open_instance

Rotate = Callable[..., Result]


@pytest.fixture
def environ(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    found = {
        "MASTHEAD_DATABASE_URL": f"sqlite:///{tmp_path}/site.db",
        "MASTHEAD_DATA": str(tmp_path),
        "MASTHEAD_PLUGINS": "core",
    }
    for name, value in found.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(tokens, "FILE_OBEYED_AFTER", 0.0)
    return found


@pytest.fixture
def rotate(environ: dict[str, str]) -> Rotate:  # noqa: ARG001 - sets the environment
    assert CliRunner().invoke(main, ["db", "upgrade"]).exit_code == 0
    return lambda *step: CliRunner().invoke(main, ["secrets", "rotate", *step])


# Rotate has created the tables.
@pytest.fixture
def on_file(environ: dict[str, str], rotate: Rotate) -> Iterator[Instance]:  # noqa: ARG001
    with closing(open_instance({}, environ)) as instance:
        make_secrets(instance)
        yield instance


def read_everywhere(token: str, *servers: Tokens) -> bool:
    return all(server.read(token) for server in servers)


def test_a_file_is_rotated_under_running_servers(
    on_file: Instance, rotate: Rotate, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = Tokens(on_file), Tokens(on_file)
    file = secret_file(on_file)
    first = file.read_text().strip()
    issued = [a.issue(1, "ada", 0), b.issue(1, "ada", 0)]

    for step in ("add", "sign"):
        # While B hasn't looked at the file again, it knows the tokens of A, and the reverse.
        monkeypatch.setattr(tokens, "FILE_OBEYED_AFTER", 1000.0)
        assert rotate(step).exit_code == 0
        assert first not in rotate(step).output
        monkeypatch.setattr(tokens, "FILE_OBEYED_AFTER", 0.0)
        issued.append(a.issue(1, "ada", 0))
        monkeypatch.setattr(tokens, "FILE_OBEYED_AFTER", 1000.0)
        assert read_everywhere(issued[-1], b), step
        issued.append(b.issue(1, "ada", 0))
        monkeypatch.setattr(tokens, "FILE_OBEYED_AFTER", 0.0)
        assert all(read_everywhere(token, a, b) for token in issued), step
        assert stat.S_IMODE(file.stat().st_mode) == 0o600

    assert "tokens of the former secret are valid for another 168 hours" in rotate("drop").output
    eight_days_ago = file.stat().st_mtime - 8 * 86_400
    os.utime(file, (eight_days_ago, eight_days_ago))
    assert rotate("drop").output == "Dropped the former secret.\n"
    assert first not in file.read_text()
    assert read_everywhere(a.issue(1, "ada", 0), a, b)
    assert b.read(issued[0]) is None
    assert [each.name for each in file.parent.iterdir() if "auth.secret" in each.name] == [
        "auth.secret"
    ]


def test_steps_in_a_wrong_order_change_nothing(on_file: Instance, rotate: Rotate) -> None:
    file = secret_file(on_file)
    for done, refused in (([], ("sign", "drop")), (["add"], ("add", "drop")), (["sign"], ("add",))):
        for step in done:
            assert rotate(step).exit_code == 0
        before = file.read_text()
        for step in (*refused, *done):
            result = rotate(step)
            assert result.exit_code == 1, (step, result.output)
            assert result.output.startswith("Error: there is ") or "no secret" in result.output
        assert file.read_text() == before
    assert rotate("drop", "--now").exit_code == 0


def test_a_damaged_file_leaves_the_former_secrets_in_force(on_file: Instance) -> None:
    server = Tokens(on_file)
    token = server.issue(1, "ada", 0)
    secret_file(on_file).write_text("weak\n")
    assert server.read(token)


def test_secrets_of_settings_are_never_printed_and_their_order_logs_nobody_out(
    environ: dict[str, str], rotate: Rotate, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = "b7e23ec29af22b0b4e41da31e868d572"
    monkeypatch.setenv(SECRETS.variable, old)
    added = rotate("add")
    new = added.output.split("\n\n")[1].strip()
    texts = [added.output, rotate("sign").output, rotate("drop").output]
    assert len(new) == 64
    assert all(old not in text and SECRETS.variable in text for text in texts)
    assert sum(new in text for text in texts) == 1

    steps = [old, f"{old} {new}", f"{new} {old}"]
    for before, after in pairwise(steps):
        opened = [open_instance({SECRETS.name: each}, environ) for each in (before, after)]
        a, b = (Tokens(instance) for instance in opened)
        for server in (a, b):
            assert read_everywhere(server.issue(1, "ada", 0), a, b)
        for instance in opened:
            instance.close()
