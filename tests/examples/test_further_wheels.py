"""Further plugins that were installed from wheels pass their tests, and all examples stay short."""

from __future__ import annotations

import ast
import os
import re
import shutil
from pathlib import Path

import pytest

from tests.examples.conftest import ROOT, Installed, install, outside

EXAMPLES = [ROOT / "examples" / f"masthead_{name}" for name in ("recipes", "vacancies")]

ALL_EXAMPLES = sorted(path.parent for path in ROOT.glob("examples/masthead_*/pyproject.toml"))


@pytest.fixture(scope="session")
def further_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of a new environment with the wheels of core and these examples."""
    return install(tmp_path_factory.mktemp("further"), *EXAMPLES)


@pytest.mark.exhaustive
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


@pytest.mark.parametrize("example", ALL_EXAMPLES, ids=lambda path: path.name)
def test_it_takes_less_than_120_lines(example: Path) -> None:
    texts = [path.read_text("utf-8") for path in (example / example.name).glob("*.py")]
    lines = [line for text in texts for line in text.splitlines()]

    assert 20 < len(lines) < 120
    for path in example.rglob("*.py"):
        ours = {name for name in imported(path) if re.match(r"masthead\b", name)}
        assert ours <= {"masthead", "masthead.testing"}


def imported(path: Path) -> set[str]:
    """Return the names of the modules that a module imports."""
    nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return names | {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}
