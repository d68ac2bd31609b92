"""``masthead new-plugin`` beside other plugins: references to their items, and clashes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from masthead.cli import main

KINDS = pytest.mark.parametrize("kind", ["content", "resource"])
POINTS = "[masthead.plugins]\nrecipes = masthead_recipes.plugin:plugin\n"


def written(folder: Path, kind: str) -> Path:
    """Write a plugin whose items refer to people, and return its folder."""
    fields = ["--field", "guide:ref:people", "--field", "helpers:refs:people"]
    command = ["new-plugin", "recipes", str(folder / "recipes"), "--kind", kind, *fields]
    result = CliRunner().invoke(main, command)
    assert (result.exit_code, result.stderr) == (0, ""), result.output
    return folder / "recipes"


@KINDS
def test_its_tests_and_their_requirements_name_the_other_plugin(tmp_path: Path, kind: str) -> None:
    plugin = written(tmp_path, kind)

    [test] = (plugin / "tests").iterdir()
    assert 'return ["people", "recipes"]' in test.read_text("utf-8")
    assert '"masthead-people' in (plugin / "pyproject.toml").read_text("utf-8")


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind", [pytest.param("content", marks=pytest.mark.exhaustive), "resource"]
)
def test_its_tests_pass_beside_the_other_plugin(tmp_path: Path, kind: str) -> None:
    plugin = written(tmp_path, kind)
    about = plugin / "masthead_recipes-0.1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: masthead-recipes\nVersion: 0.1.0\n"
    )
    (about / "entry_points.txt").write_text(POINTS)
    tests = str(shutil.copytree(plugin / "tests", tmp_path / "tests"))
    command = [sys.executable, "-m", "pytest", "-q", "--rootdir", tests, tests]
    environ = {**os.environ, "PYTHONPATH": str(plugin)}

    done = subprocess.run(
        command, cwd=tmp_path, env=environ, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stdout + done.stderr


def test_a_plugin_that_clashes_with_core_beside_others_leaves_no_files(tmp_path: Path) -> None:
    # Core has this address only if an enabled plugin has something to search.
    command = ["new-plugin", "search", str(tmp_path / "search"), "--kind", "plain"]

    refused = CliRunner().invoke(main, command)

    assert refused.exit_code == 1
    [message] = refused.stderr.splitlines()
    assert "core and search both declare GET /api/search" in message
    assert not (tmp_path / "search").exists()
