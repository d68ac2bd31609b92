"""dev.py version writes the version into all files."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
WRITTEN = [
    "*/pyproject.toml",
    "*/*/pyproject.toml",
    "docs/*.md",
    "pyproject.toml",
    "*/*/package.json",
]


def files(root: Path) -> dict[Path, bytes]:
    """Return the content of the files that can contain the version."""
    return {path: path.read_bytes() for pattern in WRITTEN for path in root.glob(pattern)}


def declared(path: Path) -> tuple[str, list[Requirement]]:
    """Return the version of a distribution, and its requirement on core."""
    project = tomllib.loads(path.read_text("utf-8"))["project"]
    required = [Requirement(text) for text in project["dependencies"]]
    return project["version"], [each for each in required if each.name == "masthead-core"]


def test_the_version_of_all_distributions_is_printed(tool: Any) -> None:
    project = tomllib.loads((ROOT / "core/pyproject.toml").read_text("utf-8"))["project"]

    assert tool("version").stdout == f"{project['version']}\n"


def test_a_version_is_set_everywhere(workspace: Path, tool: Any) -> None:
    result = tool("version", "7.8.0")

    assert (result.returncode, result.stderr) == (0, "")
    assert tool("version").stdout == "7.8.0\n"
    for path in workspace.glob("plugins/*/pyproject.toml"):
        assert declared(path) == ("7.8.0", [Requirement("masthead-core>=7.8,<7.9")])
    for path in workspace.glob("examples/*/pyproject.toml"):
        own, required = declared(path)
        assert own != "7.8.0"
        assert required == [Requirement("masthead-core>=7.8,<7.9")]


@pytest.mark.slow
def test_nothing_else_changes(workspace: Path, tool: Any) -> None:
    before = files(workspace)

    own = tool("version").stdout.strip()
    tool("version", "7.8.0")
    changed = files(workspace)
    tool("version", own)

    assert before != changed
    assert before == files(workspace)


def test_a_plugin_accepts_the_pre_release_that_it_belongs_to(workspace: Path, tool: Any) -> None:
    tool("version", "7.8.0rc1")

    _, [required] = declared(workspace / "plugins/news/pyproject.toml")
    assert required.specifier.contains("7.8.0rc1")
    assert required.specifier.contains("7.8.0")
    assert not required.specifier.contains("7.9.0")
    package = json.loads((workspace / "clients/typescript/package.json").read_text("utf-8"))
    assert package["version"] == "7.8.0-rc.1"


@pytest.mark.slow
@pytest.mark.parametrize("text", ["0.2", "v0.2.0", "0.2.0-beta", "latest", ""])
def test_what_is_no_version_is_refused_in_one_line(tool: Any, text: str) -> None:
    result = tool("version", text)

    assert result.returncode == 1
    assert result.stderr == f"dev.py version: {text} is not of the form 0.2.0 or 0.2.0rc1\n"
