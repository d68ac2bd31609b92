"""dev.py version: one command writes the version wherever it stands."""

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
WRITTEN = ["*/pyproject.toml", "*/*/pyproject.toml", "docs/*.md", "pyproject.toml"]


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A copy of the files that may tell the version, beside the command."""
    shutil.copytree(ROOT / "tools", tmp_path / "tools")
    for path in files(ROOT):
        copied = tmp_path / path.relative_to(ROOT)
        copied.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copied)
    return tmp_path


def files(root: Path) -> list[Path]:
    return [path for pattern in WRITTEN for path in sorted(root.glob(pattern))]


def version(workspace: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tools.version", *arguments]
    return subprocess.run(command, cwd=workspace, capture_output=True, text=True, check=False)


def declared(path: Path) -> tuple[str, list[Requirement]]:
    """Return the version of a distribution, and what it requires of core."""
    project = tomllib.loads(path.read_text("utf-8"))["project"]
    required = [Requirement(text) for text in project["dependencies"]]
    return project["version"], [each for each in required if each.name == "masthead-core"]


def test_the_version_of_all_distributions_is_printed(workspace: Path) -> None:
    project = tomllib.loads((ROOT / "core/pyproject.toml").read_text("utf-8"))["project"]

    assert version(workspace).stdout == f"{project['version']}\n"


def test_a_version_is_set_everywhere(workspace: Path) -> None:
    result = version(workspace, "7.8.0")

    assert (result.returncode, result.stderr) == (0, "")
    assert version(workspace).stdout == "7.8.0\n"
    for path in workspace.glob("plugins/*/pyproject.toml"):
        assert declared(path) == ("7.8.0", [Requirement("masthead-core>=7.8,<7.9")])
    for path in workspace.glob("examples/*/pyproject.toml"):
        own, required = declared(path)
        assert own != "7.8.0"
        assert required == [Requirement("masthead-core>=7.8,<7.9")]


def test_nothing_else_changes(workspace: Path) -> None:
    before = {path: path.read_bytes() for path in files(workspace)}

    own = version(workspace).stdout.strip()
    version(workspace, "7.8.0")
    changed = {path: path.read_bytes() for path in files(workspace)}
    version(workspace, own)

    assert before != changed
    assert before == {path: path.read_bytes() for path in files(workspace)}


def test_a_plugin_accepts_the_pre_release_that_it_belongs_to(workspace: Path) -> None:
    version(workspace, "7.8.0rc1")

    _, [required] = declared(workspace / "plugins/news/pyproject.toml")
    assert required.specifier.contains("7.8.0rc1")
    assert required.specifier.contains("7.8.0")
    assert not required.specifier.contains("7.9.0")


@pytest.mark.parametrize("text", ["0.2", "v0.2.0", "0.2.0-beta", "latest", ""])
def test_what_is_no_version_is_refused_in_one_line(workspace: Path, text: str) -> None:
    result = version(workspace, text)

    assert result.returncode == 1
    assert result.stderr == f"dev.py version: {text} is not of the form 0.2.0 or 0.2.0rc1\n"
