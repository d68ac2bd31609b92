"""The example with rules for public content works from its wheel."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.examples.conftest import install, outside

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples/masthead_gate"


def test_the_plugin_is_short() -> None:
    lines = (EXAMPLE / "masthead_gate/plugin.py").read_text("utf-8").splitlines()
    assert len(lines) < 100


@pytest.mark.exhaustive
def test_its_tests_pass_outside_of_the_workspace(
    tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    installed: Any = outside(install(tmp_path_factory.mktemp("gate"), EXAMPLE), tmp_path)
    tests = shutil.copytree(EXAMPLE / "tests", tmp_path / "tests")

    output = installed.run(
        "pytest", "-q", "--import-mode=importlib", "--rootdir", str(tests), str(tests)
    )
    assert re.match(r"3 passed\b", output.splitlines()[-1])
