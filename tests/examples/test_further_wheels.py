"""Further plugins that were installed from wheels pass their own tests, and stay short."""

from __future__ import annotations

import ast
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.examples.conftest import ROOT, Installed, install, outside

EXAMPLES = [ROOT / "examples" / f"masthead_{name}" for name in ("recipes", "vacancies")]


@pytest.fixture(scope="session")
def further_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of a new environment with the wheels of core and these examples."""
    return install(tmp_path_factory.mktemp("further"), *EXAMPLES)


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_its_own_tests_pass_from_its_wheel(
    further_python: Path, tmp_path: Path, example: Path
) -> None:
    tests = shutil.copytree(example / "tests", tmp_path / "tests")
    chosen = {n: os.environ[n] for n in ("MASTHEAD_TEST_DATABASE",) if n in os.environ}
    installed: Installed = outside(further_python, tmp_path, **chosen)
    options = ("-q", "--import-mode=importlib", "--rootdir", str(tests), str(tests))

    printed = installed.run("pytest", *options)

    assert re.match(r"\d{2,} passed\b", printed.splitlines()[-1])


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_it_takes_120_lines_besides_blank_ones_and_imports(example: Path) -> None:
    lines = [line for path in (example / example.name).glob("*.py") for line in code_lines(path)]

    assert 20 < len(lines) <= 120
    for path in example.rglob("*.py"):
        ours = {name for name in imported(path) if re.match(r"masthead\b", name)}
        assert ours <= {"masthead", "masthead.testing"}


def code_lines(path: Path) -> Iterator[str]:
    """Yield the lines of a module that are neither blank nor part of an import."""
    text = path.read_text("utf-8")
    imports = [n for n in ast.parse(text).body if isinstance(n, ast.Import | ast.ImportFrom)]
    skipped = {
        number for node in imports for number in range(node.lineno, (node.end_lineno or 0) + 1)
    }
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and number not in skipped:
            yield line


def imported(path: Path) -> set[str]:
    """Return the names of the modules that a module imports."""
    nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return names | {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}
