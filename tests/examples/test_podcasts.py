"""The example is small, imports only the public API, and no code of Masthead refers to it."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples/masthead_podcasts"
SOURCES = [path for path in sorted(EXAMPLE.rglob("*.py")) if "versions" not in path.parts]
NAMED_IN = ("examples/", "tests/", "docs/", "tox.ini", "README.md", "CHANGELOG.md")


def imported(path: Path) -> set[str]:
    nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return names | {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}


def test_a_content_type_and_its_tests_take_60_lines() -> None:
    lines = [line for path in SOURCES for line in path.read_text("utf-8").splitlines()]

    assert len(lines) <= 60
    assert max(map(len, lines)) <= 100


def test_the_webhook_takes_less_than_120_lines() -> None:
    package = EXAMPLE.parent / "masthead_webhook" / "masthead_webhook"

    assert sum(len(path.read_text("utf-8").splitlines()) for path in package.glob("*.py")) < 120


def test_the_example_imports_nothing_of_masthead_but_its_public_api() -> None:
    names = {name for path in EXAMPLE.rglob("*.py") for name in imported(path)}

    ours = {name for name in names if re.match(r"masthead\b", name)}

    assert ours == {"masthead", "masthead.testing"}


def test_only_documentation_tests_and_the_matrix_name_the_example() -> None:
    command = ["git", "grep", "-lE", "masthead[_-]podcasts"]
    listing = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)

    assert [name for name in listing.stdout.splitlines() if not name.startswith(NAMED_IN)] == []
