"""A few mutants, which the tests have to kill; ``run.py`` tries all of them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.exhaustive

RUN = Path(__file__).with_name("run.py")


@pytest.mark.parametrize("name", ["anybody may approve", "tags.create is"])
def test_a_broken_guard_fails_a_test(name: str) -> None:
    ended = subprocess.run(
        [sys.executable, RUN, "--unproven", "--like", name],
        capture_output=True,
        text=True,
        check=False,
    )

    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "killed" in ended.stdout
