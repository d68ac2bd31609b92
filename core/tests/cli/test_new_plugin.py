"""``masthead new-plugin`` writes a plugin that works."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path
from runpy import run_path

import pytest
from click.testing import Result
from packaging.requirements import Requirement
from packaging.version import Version

LONGEST = 30


@pytest.fixture
def recipes(run: Callable[..., Result], tmp_path: Path) -> Path:
    """Write a plugin by the command."""
    folder = tmp_path / "masthead_recipes"
    assert run("new-plugin", "recipes", folder).exit_code == 0
    return folder


def install(plugin: Path) -> None:
    """Write the metadata that an installer writes, so that the entry point is found."""
    project = tomllib.loads((plugin / "pyproject.toml").read_text("utf-8"))["project"]
    info = plugin / "masthead_recipes-0.1.0.dist-info"
    info.mkdir()
    metadata = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (info / "METADATA").write_text(metadata)
    points = "".join(
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in named.items())
        for group, named in project["entry-points"].items()
    )
    (info / "entry_points.txt").write_text(points)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["content", "resource", "plain"])
def test_the_plugin_migrates_and_passes_its_tests(
    run: Callable[..., Result],
    tmp_path: Path,
    program: list[str],
    environ: Mapping[str, str],
    kind: str,
) -> None:
    recipes = tmp_path / "masthead_recipes"
    assert run("new-plugin", "recipes", recipes, "--kind", kind).exit_code == 0
    install(recipes)
    environ = {**environ, "PYTHONPATH": str(recipes), "MASTHEAD_PLUGINS": "recipes"}

    def ended(*command: str) -> str:
        done = subprocess.run(
            command, cwd=recipes, env=environ, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    ended("ruff", "check", "--isolated", "--select", "E,F,B,UP,D1,ANN", "masthead_recipes")
    if kind != "plain":
        written = ended(*program, "db", "revision", "recipes", "-m", "First tables")
        assert written.strip().endswith(".py")
        assert ended(*program, "db", "upgrade").startswith("Migrated core, recipes in ")
    assert "passed" in ended(sys.executable, "-m", "pytest", "-q", "--rootdir", ".", "tests")


def test_the_plugin_requires_this_minor_version_of_core(
    recipes: Path,
) -> None:
    project = tomllib.loads((recipes / "pyproject.toml").read_text("utf-8"))["project"]

    required = [Requirement(text) for text in project["dependencies"]]
    [versions] = [each.specifier for each in required if each.name == "masthead-core"]

    core = Version(version("masthead-core"))
    assert str(core) in versions
    assert f"{core.major}.{core.minor}.999" in versions
    assert f"{core.major}.{core.minor + 1}.0" not in versions


def test_the_longest_name_leaves_room_for_the_names_of_constraints(
    run: Callable[..., Result], tmp_path: Path
) -> None:
    name = "a" * LONGEST

    assert run("new-plugin", name, tmp_path / "new").exit_code == 0

    models = run_path(str(tmp_path / "new" / f"masthead_{name}" / "models.py"))
    tables = models["Base"].metadata.tables.values()
    names = [each.name for table in tables for each in (*table.indexes, *table.constraints)]
    assert max(map(len, names)) <= 63


@pytest.mark.parametrize(
    "name", ["", "Recipes", "my-recipes", "1recipes", "a b", "ä", "../x", "a" * (LONGEST + 1)]
)
def test_an_invalid_name_is_a_usage_error(
    run: Callable[..., Result], tmp_path: Path, name: str
) -> None:
    result = run("new-plugin", name, tmp_path / "new")

    assert result.exit_code == 2
    assert not (tmp_path / "new").exists()


def test_no_file_is_overwritten(run: Callable[..., Result], recipes: Path, tmp_path: Path) -> None:
    before = {path: path.read_bytes() for path in recipes.rglob("*") if path.is_file()}

    again = run("new-plugin", "podcast", recipes)
    taken = run("new-plugin", "core", tmp_path / "other")

    assert (again.exit_code, taken.exit_code) == (1, 1)
    assert before == {path: path.read_bytes() for path in recipes.rglob("*") if path.is_file()}
    assert not (tmp_path / "other").exists()
