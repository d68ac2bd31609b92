"""A plugin with a mistake stops the start with one line that names it, unless it is disabled."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from masthead.cli import main
from tests.cli.broken_plugins import BROKEN, CORRECT, Broken, raising

Install = Callable[[Broken], None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Install plugins as distributions of the name zebras; the last one is found."""
    made = 0

    def written(broken: Broken) -> None:
        nonlocal made
        made += 1
        forget()
        folder = tmp_path / str(made)
        files = {"zebras/__init__.py": "", "zebras/plugin.py": broken.text, **broken.files}
        files["zebras-1.dist-info/METADATA"] = "Metadata-Version: 2.1\nName: zebras\nVersion: 1.5\n"
        points = "[masthead.plugins]\nzebras = zebras.plugin:plugin\n"
        files["zebras-1.dist-info/entry_points.txt"] = points
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        monkeypatch.setattr(sys, "path", [str(folder), *before])

    before = list(sys.path)
    yield written
    forget()


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Run a command in this process with some plugins enabled."""
    monkeypatch.setenv("MASTHEAD_DATA", str(tmp_path / "data"))

    def invoke(*arguments: str, plugins: str = "core people zebras") -> Result:
        environ = {"MASTHEAD_PLUGINS": plugins}
        return CliRunner().invoke(main, arguments, env=environ, catch_exceptions=False)

    return invoke


def forget() -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "zebras"]:
        del sys.modules[name]


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_plugin_is_named_in_one_line(
    install: Install, run: Callable[..., Result], name: str
) -> None:
    install(BROKEN[name])

    result = run("plugins")

    assert result.stderr == f"Error: {BROKEN[name].expected}\n"
    assert result.exit_code == 1


RAISES = BROKEN["raises at its import"]


@pytest.mark.parametrize("command", ["serve", "worker"])
def test_a_broken_plugin_ends_a_service_for_good(
    install: Install,
    run: Callable[..., Result],
    monkeypatch: pytest.MonkeyPatch,
    command: str,
) -> None:
    install(RAISES)
    monkeypatch.setenv("NOTIFY_SOCKET", "/nowhere")

    result = run(command)

    assert result.stderr == f"Error: {RAISES.expected}\n"
    assert result.exit_code == 78


def test_a_broken_plugin_that_is_disabled_stops_nothing(
    install: Install, run: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    install(RAISES)
    monkeypatch.setenv("MASTHEAD_ZEBRAS_STRIPES", "3")

    for command in ["--help"], ["db", "upgrade"], ["db", "status"], ["user", "list"]:
        result = run(*command, plugins="core people")

        assert "zebras" not in result.output, command
        assert result.exit_code == 0, result.output


def test_the_settings_of_a_disabled_plugin_are_accepted_unread(
    install: Install, run: Callable[..., Result], tmp_path: Path
) -> None:
    install(RAISES)
    config = tmp_path / "masthead.ini"
    config.write_text("[app:main]\nmasthead.zebras.stripes = 3\nmasthead.people.stripes = 3\n")

    assert run("settings", "-c", str(config), plugins="core").exit_code == 0
    result = run("settings", "-c", str(config), plugins="core people")

    assert result.stderr.startswith("Error: unknown setting masthead.people.stripes")


def test_the_list_of_plugins_shows_a_broken_one_with_its_reason(
    install: Install, run: Callable[..., Result]
) -> None:
    install(RAISES)

    result = run("plugins", plugins="core people")

    zebras = [line.split() for line in result.stdout.splitlines() if line.startswith("zebras ")]
    assert zebras == [["zebras", "1.5", "no,", "broken", "-", "-", "-", "zebras"]]
    assert result.stdout.splitlines()[-1] == RAISES.expected
    assert result.exit_code == 0


def test_a_plugin_whose_commands_fail_is_named_and_the_others_work(
    install: Install, run: Callable[..., Result]
) -> None:
    install(Broken(raising("masthead_commands", "group"), ""))

    result = run("settings")

    reason = "plugin zebras fails in masthead_commands: LookupError: no zebra (zebras/plugin.py:7)"
    assert result.stderr == f"Warning: {reason}{CORRECT}\n"
    assert "masthead.data" in result.stdout


def test_the_traceback_is_shown_on_request(install: Install, run: Callable[..., Result]) -> None:
    install(RAISES)

    said = run("-v", "db", "status").stderr

    assert "Traceback" in said
    assert "RuntimeError: no\nzebra" in said
    assert said.endswith(f"Error: {RAISES.expected}\n")
