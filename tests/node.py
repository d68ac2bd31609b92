"""Packages of Node.js for tests."""

from __future__ import annotations

import shutil
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest

CACHE = Path(__file__).parents[1] / ".dev" / "node"
_OLDEST = 20
"""The oldest major version of Node.js that all programs run on."""
_INSTALL = ("install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")


def installed_packages(wanted: Path) -> Path:
    """Return the folder ``node_modules`` with the packages of a file, which npm installs once.

    The test is skipped without Node.js, and without the packages.
    """
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        pytest.skip("no Node.js with npm on PATH (on Debian: apt install npm)")
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True)
    if int(version.stdout.lstrip("v").partition(".")[0]) < _OLDEST:
        pytest.skip(f"Node.js {version.stdout.strip()} is older than {_OLDEST}")
    folder = CACHE / sha256(wanted.read_bytes()).hexdigest()[:16]
    if not (folder / "complete").exists():
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(wanted, folder)
        done = subprocess.run(
            [npm, *_INSTALL], cwd=folder, capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            pytest.skip(f"npm can't install the packages: {done.stderr.strip()[-500:]}")
        (folder / "complete").touch()
    return folder / "node_modules"
