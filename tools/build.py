"""Build the wheel and the sdist of each distribution into dist/; --check tests them."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from uv import find_uv_bin

from tools.artefacts import problems
from tools.staging import stage
from tools.workspace import ROOT, current_version, distributions, repository

CHANGELOG = ROOT / "CHANGELOG.md"
DIST = ROOT / "dist"
INSTALLED = "tests/examples/test_wheels.py"
"""The tests that install the wheels outside the workspace."""


def main() -> None:
    """Build, and check with --check; exit with 1 and a line for each problem."""
    parser = argparse.ArgumentParser(prog="dev.py build", description=__doc__)
    parser.add_argument("--check", action="store_true", help="check, install and test the results")
    options = parser.parse_args()
    try:
        build()
    except subprocess.CalledProcessError as error:
        sys.exit(f"dev.py build: {Path(error.cmd[0]).name} {error.cmd[1]} failed")
    if not repository():
        print("pyproject.toml names no repository: no project URLs, and READMEs without links")
    if options.check:
        check()


def build() -> None:
    """Replace dist/ by an sdist of each distribution, and the wheel that is built from it."""
    environ = {
        **os.environ,
        "SOURCE_DATE_EPOCH": time_of_commit(),
        "UV_PYTHON": sys.executable,
        "UV_PYTHON_DOWNLOADS": "never",
    }
    shutil.rmtree(DIST, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        for distribution in distributions():
            print(f"Building {distribution.name} {distribution.version}", flush=True)
            staged = stage(distribution, Path(folder))
            uv = [find_uv_bin(), "build", "--quiet", "--no-build-isolation"]
            subprocess.run([*uv, "--out-dir", DIST, staged], env=environ, check=True)


def time_of_commit() -> str:
    """Return the time of the newest commit, which makes the build of a commit reproducible."""
    command = ["git", "log", "-1", "--format=%ct"]
    shown = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    return shown.stdout.strip()


def check() -> None:
    """Check the wheels and sdists, then install the wheels elsewhere and run tests there."""
    found = [line for each in distributions() for line in problems(each, DIST)]
    if not re.search(rf"^## {re.escape(current_version())}\b", CHANGELOG.read_text("utf-8"), re.M):
        found.append(f"CHANGELOG.md has no section {current_version()}")
    if found:
        sys.exit("\n".join(found))
    environ = {**os.environ, "MASTHEAD_TEST_WHEELS": str(DIST)}
    pytest = [sys.executable, "-m", "pytest", "-q", "-n", "auto", INSTALLED]
    if subprocess.run(pytest, cwd=ROOT, env=environ, check=False).returncode:
        sys.exit("dev.py build: the wheels fail where they are installed")


if __name__ == "__main__":
    main()
