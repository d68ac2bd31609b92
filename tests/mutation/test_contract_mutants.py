"""The contract of content types finds the mistakes of a plugin, each by the named test."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutation.contract_mutants import MUTANTS, RECIPES, PluginMutant

pytestmark = pytest.mark.slow

TRIED = MUTANTS if os.environ.get("MASTHEAD_TEST_MUTANTS") == "all" else MUTANTS[::6]
"""The mutants to try: a few, or all of them, which takes minutes."""
QUIET = ("-q", "-p", "no:cacheprovider", "-p", "no:schemathesis", "-p", "no:xdist")


def run_contract(folder: Path, *options: str) -> tuple[int, str]:
    """Run the contract with a copy of the plugin; return the exit status and the output."""
    (folder / "pytest.ini").write_text("[pytest]\n", "utf-8")
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", *QUIET, *options, "contract_recipes.py"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder), "PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    return ended.returncode, ended.stdout + ended.stderr


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    return Path(shutil.copytree(RECIPES, tmp_path / "recipes"))


def test_the_plugin_without_a_mistake_passes(copied: Path) -> None:
    status, printed = run_contract(copied)

    assert status == pytest.ExitCode.OK, printed


@pytest.mark.exhaustive
@pytest.mark.parametrize("mutant", TRIED, ids=lambda mutant: mutant.name)
def test_a_mistake_is_found(mutant: PluginMutant, copied: Path) -> None:
    mutant.break_package(copied)

    status, printed = run_contract(copied, "-x", "-k", mutant.killer or "test")

    failed = re.findall(r"^(?:FAILED|ERROR) contract_recipes\.py(?:::\w+)*", printed, re.MULTILINE)
    assert status in (pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED), printed
    assert [name for name in failed if mutant.killer in name], printed
