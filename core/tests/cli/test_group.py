from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from masthead.checking.folders import user_name
from masthead.console.group import PluginGroup
from masthead.errors import Invalid, StartError


def test_the_help_names_the_commands_of_all_plugins(run: Callable[..., Result]) -> None:
    result = run("--help")

    assert result.exit_code == 0
    for command in ("serve", "db", "plugins", "settings", "openapi"):
        assert f"  {command} " in result.stdout


@pytest.mark.parametrize("arguments", [["nonsense"], ["db", "revision"], ["serve", "--port", "x"]])
def test_wrong_usage_exits_with_2(run: Callable[..., Result], arguments: list[str]) -> None:
    assert run(*arguments).exit_code == 2


@pytest.mark.parametrize(
    "error", [StartError("no such thing"), Invalid("no such thing"), OSError("no such thing")]
)
def test_an_expected_error_prints_one_line_and_exits_with_1(error: Exception) -> None:
    result = CliRunner().invoke(group_that_raises(error), ["try"])

    assert (result.exit_code, result.stderr) == (1, "Error: no such thing\n")


def test_the_error_has_a_priority_in_the_journal_of_systemd(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reader, writer = os.pipe()
    found = os.fstat(writer)
    monkeypatch.setenv("JOURNAL_STREAM", f"{found.st_dev}:{found.st_ino}")
    with os.fdopen(writer, "w") as stream:
        monkeypatch.setattr(sys, "stderr", stream)
        with pytest.raises(SystemExit):
            group_that_raises(StartError("no such thing")).main(["try"])
    with os.fdopen(reader) as lines:
        assert lines.read() == "<3>Error: no such thing\n"


def test_a_refused_file_is_named_with_its_folder_and_the_user() -> None:
    error = PermissionError(errno.EACCES, "Permission denied", "backup.zip")

    said = CliRunner().invoke(group_that_raises(error), ["try"]).stderr

    path = Path("backup.zip").absolute()
    assert said == f"Error: the user {user_name()} can't use {path}: permission denied\n"


def test_a_key_that_interrupts_is_no_traceback() -> None:
    result = CliRunner().invoke(group_that_raises(KeyboardInterrupt()), ["try"])

    assert result.exit_code == 1
    assert result.stderr.strip() == "Aborted!"


def test_a_bug_is_shown_as_one() -> None:
    result = CliRunner().invoke(group_that_raises(ZeroDivisionError()), ["try"])

    assert isinstance(result.exception, ZeroDivisionError)


def test_two_plugins_cannot_add_one_command() -> None:
    @click.command("db")
    def other() -> None:
        """Do something else."""

    group = PluginGroup(name="masthead")
    group.add_command(other)

    result = CliRunner().invoke(group, ["db"])

    assert result.exit_code == 1
    assert __name__ in result.stderr
    assert "masthead.cli.database both add the command db" in result.stderr


@pytest.mark.slow
def test_a_reader_that_goes_away_is_no_traceback(
    environ: dict[str, str], program: list[str]
) -> None:
    process = subprocess.Popen(
        [*program, "settings", "--ini"],
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    process.stdout.close()

    assert process.stderr is not None
    assert process.stderr.read() == ""
    assert process.wait() == 1
    process.stderr.close()


def group_that_raises(error: BaseException) -> click.Group:
    group = PluginGroup(name="masthead")

    @group.command("try")
    def attempt() -> None:
        raise error

    return group
