"""The OpenAPI document of all plugins in a file, programs of Node.js, and a served demo."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from masthead import Instance, Plugin
from masthead.plugins import installed
from masthead.web.openapi.document import document
from tests.journeys.conftest import Site
from tests.node import installed_packages

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]
_QUIET = {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true", "NO_COLOR": "1"}

Run = Callable[..., str]


@pytest.fixture(scope="session")
def node_modules() -> Path:
    """The folder with the packages of ``package.json``, which npm installs once."""
    return installed_packages(FOLDER / "package.json")


@pytest.fixture
def plugins() -> list[Plugin]:
    return list(installed().values())


@pytest.fixture
def api(instance: Instance, tmp_path: Path) -> Path:
    """The file with the document."""
    file = tmp_path / "openapi.json"
    file.write_text(json.dumps(document(instance.endpoints, instance), ensure_ascii=False))
    return file


def run_program(node_modules: Path, folder: Path, program: str, *arguments: object) -> str:
    """Run a program of the packages in a folder, and return its output."""
    done = subprocess.run(
        [str(node_modules / ".bin" / program), *map(str, arguments)],
        cwd=folder,
        env={**os.environ, **_QUIET},
        capture_output=True,
        text=True,
        check=False,
    )
    said = f"{done.stdout}\n{done.stderr}"
    assert done.returncode == 0, said
    return said


@pytest.fixture
def run(node_modules: Path, tmp_path: Path) -> Run:
    """Return a function that runs a program of the packages in a folder that can import them."""
    (tmp_path / "node_modules").symlink_to(node_modules)

    def call(program: str, *arguments: object) -> str:
        return run_program(node_modules, tmp_path, program, *arguments)

    return call


@pytest.fixture(scope="session")
def packed(node_modules: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the packages and the packed TypeScript client are installed."""
    source, folder = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("packed")
    shutil.copytree(
        ROOT / "clients" / "typescript",
        source,
        ignore=shutil.ignore_patterns("node_modules", "dist"),
        dirs_exist_ok=True,
    )
    (source / "node_modules").symlink_to(node_modules)
    subprocess.run(["npm", "pack", "--silent"], cwd=source, check=True, capture_output=True)
    with tarfile.open(next(source.glob("*.tgz"))) as archive:
        archive.extractall(folder, filter="data")
    modules = folder / "node_modules"
    modules.mkdir()
    for package in node_modules.iterdir():
        (modules / package.name).symlink_to(package)
    (folder / "package").rename(modules / "masthead-client")
    (folder / "package.json").write_text('{"type": "module"}')
    return folder


@pytest.fixture(scope="session")
def demo_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """An instance with the demo content, served for all tests of clients."""
    folder = tmp_path_factory.mktemp("demo")
    environ = {name: v for name, v in os.environ.items() if not name.startswith("MASTHEAD_")}
    site = Site(environ | {"MASTHEAD_DATA": str(folder / "data")}, folder / "log")
    site.start("--demo")
    yield site
    site.close()
