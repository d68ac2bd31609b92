"""The OpenAPI document of all plugins in a file, and programs of Node.js that read it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from masthead import Instance, Plugin
from masthead.plugins import installed
from masthead.web.openapi.document import document

FOLDER = Path(__file__).parent
CACHE = FOLDER.parents[1] / ".dev" / "node"
_QUIET = {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true", "NO_COLOR": "1"}
_OLDEST = 20
"""The oldest major version of Node.js that all programs run on."""

Run = Callable[..., str]


@pytest.fixture(scope="session")
def node_modules() -> Path:
    """The folder with the packages of ``package.json``, which npm installs once."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        pytest.skip("no Node.js with npm on PATH (on Debian: apt install npm)")
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True)
    if int(version.stdout.lstrip("v").partition(".")[0]) < _OLDEST:
        pytest.skip(f"Node.js {version.stdout.strip()} is older than {_OLDEST}")
    wanted = FOLDER / "package.json"
    folder = CACHE / sha256(wanted.read_bytes()).hexdigest()[:16]
    if not (folder / "complete").exists():
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(wanted, folder)
        install = [
            npm,
            "install",
            "--ignore-scripts",
            "--no-audit",
            "--no-fund",
            "--loglevel=error",
        ]
        done = subprocess.run(install, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            pytest.skip(f"npm can't install the packages: {done.stderr.strip()[-500:]}")
        (folder / "complete").touch()
    return folder / "node_modules"


@pytest.fixture
def plugins() -> list[Plugin]:
    return list(installed().values())


@pytest.fixture
def api(instance: Instance, tmp_path: Path) -> Path:
    """The file with the document."""
    file = tmp_path / "openapi.json"
    file.write_text(json.dumps(document(instance.endpoints, instance), ensure_ascii=False))
    return file


@pytest.fixture
def run(node_modules: Path, tmp_path: Path) -> Run:
    """Return a function that runs a program of the packages in a folder that can import them."""
    (tmp_path / "node_modules").symlink_to(node_modules)

    def call(program: str, *arguments: object) -> str:
        done = subprocess.run(
            [str(node_modules / ".bin" / program), *map(str, arguments)],
            cwd=tmp_path,
            env={**os.environ, **_QUIET},
            capture_output=True,
            text=True,
            check=False,
        )
        said = f"{done.stdout}\n{done.stderr}"
        assert done.returncode == 0, said
        return said

    return call
