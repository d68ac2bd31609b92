"""Build the wheel and the sdist of each distribution into dist/; --check proves that they work."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from uv import find_uv_bin

from tools.artefacts import problems
from tools.staging import stage
from tools.workspace import ROOT, distributions, repository

DIST = ROOT / "dist"
INSTALLED = "tests/examples/test_wheels.py"
"""These tests install the wheels outside of the workspace and run them there."""


def main() -> None:
    """Build, and check where the arguments say so; exit 1 with a line for each problem."""
    parser = argparse.ArgumentParser(prog="dev.py build", description=__doc__)
    parser.add_argument("--check", action="store_true", help="check, install and try what is built")
    options = parser.parse_args()
    build()
    if not repository():
        print("pyproject.toml names no repository: no project URLs, and READMEs without links")
    if options.check:
        check()


def build() -> None:
    """Fill dist/ anew: an sdist of each distribution, and the wheel that is built from it."""
    shutil.rmtree(DIST, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        for distribution in distributions():
            staged = stage(distribution, Path(folder))
            print(f"Building {distribution.name} {distribution.version}", flush=True)
            uv = [find_uv_bin(), "build", "--quiet", "--no-build-isolation"]
            environ = {**os.environ, "UV_PYTHON": sys.executable, "UV_PYTHON_DOWNLOADS": "never"}
            subprocess.run([*uv, "--out-dir", DIST, staged], env=environ, check=True)


def check() -> None:
    """Look at what was built, then install the wheels elsewhere and run tests there."""
    if found := [line for each in distributions() for line in problems(each, DIST)]:
        sys.exit("\n".join(found))
    environ = {**os.environ, "MASTHEAD_TEST_WHEELS": str(DIST)}
    pytest = [sys.executable, "-m", "pytest", "-q", INSTALLED]
    if subprocess.run(pytest, cwd=ROOT, env=environ, check=False).returncode:
        sys.exit("dev.py build: the wheels fail where they are installed")


if __name__ == "__main__":
    main()
