"""systemd accepts the units of a deployment as they are, and confines the services."""

from __future__ import annotations

import subprocess
import sys
from configparser import ConfigParser
from pathlib import Path

import pytest

from tests.config.test_cluster_files import program

DEPLOY = Path(__file__).parents[2] / "config" / "deploy"
SERVICES = sorted(path.name for path in DEPLOY.glob("*.service"))
UNITS = sorted(path.name for path in DEPLOY.glob("masthead*.*") if path.suffix != ".sh")
MOST_EXPOSED = 20
"""The allowed exposure by the measure of systemd, in tenths; it calls 2.0 "OK", 5.0 "MEDIUM"."""
LASTING = ("masthead.service", "masthead-worker.service")
EXECUTABLE = "/opt/masthead/bin/masthead"


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A folder with the units, whose program exists on this machine."""
    for name in UNITS:
        text = (DEPLOY / name).read_text("utf-8")
        assert name not in SERVICES or EXECUTABLE in text
        (tmp_path / name).write_text(text.replace(EXECUTABLE, sys.executable), "utf-8")
    return tmp_path


def ask(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [program("systemd-analyze"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_all_units_are_known() -> None:
    assert len(SERVICES) == 3
    assert set(UNITS) - set(SERVICES) == {"masthead.socket", "masthead-backup.timer"}


@pytest.mark.parametrize("name", UNITS)
def test_systemd_finds_no_mistake_in_a_unit(installed: Path, name: str) -> None:
    ended = ask("verify", "--man=no", "--recursive-errors=no", installed / name)

    assert ended.returncode == 0, ended.stderr
    assert [line for line in ended.stderr.splitlines() if str(installed) in line] == []


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_is_confined(installed: Path, name: str) -> None:
    threshold = f"--threshold={MOST_EXPOSED}"
    ended = ask("security", "--offline=yes", "--no-pager", threshold, installed / name)

    assert ended.returncode == 0, ended.stdout + ended.stderr


@pytest.mark.parametrize("name", LASTING)
def test_systemd_never_gives_up_a_service_whose_database_comes_later(name: str) -> None:
    # Some keys, such as Environment, may be given several times.
    unit = ConfigParser(strict=False, interpolation=None)
    unit.read(DEPLOY / name, "utf-8")

    assert unit["Unit"]["StartLimitIntervalSec"] == "0"
    assert unit["Service"]["Restart"] == "on-failure"
    # A service that can't start doesn't fill the journal, and a cured one is back soon.
    assert 2 <= int(unit["Service"]["RestartSec"]) <= 10


@pytest.mark.parametrize("name", LASTING)
def test_systemd_restarts_no_service_whose_configuration_is_wrong(name: str) -> None:
    unit = ConfigParser(strict=False, interpolation=None)
    unit.read(DEPLOY / name, "utf-8")

    assert unit["Service"]["RestartPreventExitStatus"].split() == ["2", "78"]


def test_a_restarted_service_stays_below_the_limit_of_its_socket() -> None:
    service, listening = (ConfigParser(strict=False, interpolation=None) for _ in range(2))
    service.read(DEPLOY / "masthead.service", "utf-8")
    listening.read(DEPLOY / "masthead.socket", "utf-8")

    # A waiting connection triggers once for each restart.
    seconds = int(listening["Socket"]["TriggerLimitIntervalSec"])
    restarts = seconds / int(service["Service"]["RestartSec"])
    assert restarts < int(listening["Socket"]["TriggerLimitBurst"]) <= seconds / 4
