"""Killing a worker and a server during delivery; ``killing.py`` can run for longer."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

KILLING = Path(__file__).with_name("killing.py")


def test_nothing_is_lost_when_worker_and_server_are_killed(
    database_url: str, tmp_path: Path
) -> None:
    kills = os.environ.get("MASTHEAD_TEST_KILLS", "4")
    messages = str(400 * int(kills))
    command = [sys.executable, str(KILLING), "--database", database_url, "--data", str(tmp_path)]
    done = subprocess.run(
        [*command, "--kills", kills, "--messages", messages, "--pause", "0.15"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "0 lost" in done.stdout
