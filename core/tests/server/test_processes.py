from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

SERVED = Path(__file__).with_name("served.py")


def pids(server: Any, wanted: int) -> Any:
    """Send requests until this number of processes has answered; return their ids."""
    found = set()
    for _ in range(100):
        with ThreadPoolExecutor(8) as pool:
            found |= set(pool.map(lambda _: server.get("/slow?seconds=0.01").json["pid"], range(8)))
        if len(found) >= wanted:
            return found
    raise AssertionError(f"only {found} answer")


def test_all_processes_answer_on_one_socket(start: Any) -> None:
    server = start(processes=3, threads=1)

    assert server.process.pid not in pids(server, 3)
    assert server.stop() == 0
    assert "Traceback" not in server.log


def test_a_killed_process_is_replaced_and_the_others_go_on(start: Any) -> None:
    server = start(processes=2, threads=1)
    first = pids(server, 2)
    victim = min(first)

    os.kill(victim, signal.SIGKILL)

    # A connection that the victim had accepted is lost with it; later ones aren't.
    server.logged(f"({victim}) was ended by signal 9")
    second = pids(server, 2)
    assert victim not in second
    assert second & first


def test_a_process_that_keeps_dying_is_replaced_less_and_less_often(start: Any) -> None:
    server = start(processes=2)
    (server.folder / "refuse-to-start").touch()

    os.kill(server.get().json["pid"], signal.SIGKILL)

    server.logged("another one starts in 0 s")
    line = server.logged("another one starts in 1 s")
    assert "ended with code 1 (the application can't be made); another one starts" in line
    assert server.get().status == 200


def test_an_application_that_cannot_be_made_stops_the_start(tmp_path: Path) -> None:
    (tmp_path / "refuse-to-start").touch()
    for processes in (1, 2):
        done = subprocess.run(
            [sys.executable, SERVED, f'{{"processes": {processes}}}'],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=15,
            check=False,
        )

        assert done.returncode == 1
        assert done.stderr.endswith("the application can't be made\n")
        assert "Traceback" not in done.stderr


def test_no_process_outlives_a_killed_parent(start: Any) -> None:
    server = start(processes=2)
    assert server.get().status == 200

    server.stop(signal.SIGKILL)

    for _ in range(150):
        try:
            server.connect().close()
        except ConnectionRefusedError:
            return
        time.sleep(0.02)
    pytest.fail("somebody still listens")
