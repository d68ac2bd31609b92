"""The example with references is small, and refers to items of a plugin that it doesn't import."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples/masthead_venues"


def test_a_resource_and_a_content_type_with_references_take_100_lines() -> None:
    files = sorted((EXAMPLE / "masthead_venues").glob("*.py"))
    lines = [line for path in files for line in path.read_text("utf-8").splitlines()]

    assert 0 < len(lines) <= 100
    imported = {line.split()[1] for line in lines if line.startswith(("from masthead", "import"))}
    assert imported == {"masthead", "masthead_venues.models"}


@pytest.mark.exhaustive
def test_its_own_tests_pass_from_its_wheel_beside_the_plugin_that_it_refers_to(
    complete: Any,
) -> None:
    tests = shutil.copytree(EXAMPLE / "tests", complete.folder / "tests")
    options = ("-q", "--import-mode=importlib", "--rootdir", str(tests), str(tests))

    summary = complete.run("pytest", *options).splitlines()[-1]

    assert re.match(r"\d{2,} passed\b", summary), summary
