"""A copy of the repository, for commands that write into it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LISTED = ("ls-files", "-z", "--cached", "--others", "--exclude-standard")
AUTHOR = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")

Tool = Callable[..., subprocess.CompletedProcess[str]]


def git(folder: Path, *arguments: str) -> str:
    command = ["git", *AUTHOR, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A copy of the repository's current files, in one commit."""
    for name in git(ROOT, *LISTED).split("\0"):
        if (ROOT / name).is_file():
            copied = tmp_path / name
            copied.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, copied)
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", "--all")
    git(tmp_path, "commit", "--quiet", "--message", "Everything")
    return tmp_path


@pytest.fixture
def tool(workspace: Path) -> Tool:
    """Run a module of tools in that copy, as dev.py does."""

    def run(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", f"tools.{name}", *arguments]
        return subprocess.run(command, cwd=workspace, capture_output=True, text=True, check=False)

    return run
