"""Workers in processes of their own, on an instance with a plugin whose jobs count their runs."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from core.tests.worker.desk import Desk
from masthead.db import Database

COUNTING = Path(__file__).with_name("counting.py")
TOO_LONG = 20


class Workplace:
    """An instance and the worker processes on it."""

    def __init__(self, folder: Path, url: str) -> None:
        self.folder = folder
        self.url = url
        self.programs: list[subprocess.Popen[bytes]] = []
        self.database = Database(url)
        self._trace = folder / "trace"
        # The metadata that pip writes for an installed plugin.
        shutil.copy(COUNTING, folder / "counting.py")
        about = folder / "counting-1.dist-info"
        about.mkdir()
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: counting\nVersion: 1\n")
        (about / "entry_points.txt").write_text("[masthead.plugins]\ncounting = counting:plugin\n")
        with self.database.transaction() as session:
            session.execute(text("CREATE TABLE counting_total (value INTEGER)"))
            session.execute(text("INSERT INTO counting_total VALUES (0)"))

    def start(self, jobs: str, *program: str | Path, lease: int = 1) -> Any:
        """Start a Python program with some of the plugin's jobs.

        :param lease: the seconds of ``masthead.worker.lease``.
        """
        environ = {
            **{name: value for name, value in os.environ.items() if "MASTHEAD" not in name},
            "MASTHEAD_PLUGINS": "core counting",
            "MASTHEAD_DATA": str(self.folder / "data"),
            "MASTHEAD_DATABASE_URL": self.url,
            "MASTHEAD_AUTH_SECRETS": "5e8b7f0a4b7c4c0e9a3e0d6d1f2a9b48",
            "MASTHEAD_WORKER_LEASE": str(lease),
            "MASTHEAD_SERVER_STOP_TIMEOUT": "3",
            "PYTHONPATH": str(self.folder),
            "COUNTING": jobs,
            "COUNTING_TRACE": str(self._trace),
        }
        with (self.folder / "log").open("ab") as log:
            started = subprocess.Popen(
                [sys.executable, *program], env=environ, stdout=log, stderr=log
            )
        self.programs.append(started)
        return started

    def stop(self, program: Any) -> int:
        """Send SIGTERM and return the exit status."""
        program.send_signal(signal.SIGTERM)
        return int(program.wait(TOO_LONG))

    @property
    def log(self) -> str:
        return (self.folder / "log").read_text()

    @property
    def traces(self) -> list[str]:
        return self._trace.read_text().splitlines() if self._trace.exists() else []

    def ask(self, question: str) -> Any:
        with self.database.read() as connection:
            return connection.execute(text(question)).scalar()

    def pids(self) -> set[int]:
        """Return the process ids of the registered workers."""
        with self.database.read() as connection:
            return set(connection.execute(text("SELECT pid FROM core_worker")).scalars())

    def wait_until(self, condition: Callable[[], Any]) -> None:
        deadline = time.monotonic() + TOO_LONG
        while not condition():
            assert time.monotonic() < deadline, self.log
            time.sleep(0.02)


@pytest.fixture
def workplace(tmp_path: Path, database_url: str) -> Iterator[Workplace]:
    place = Workplace(tmp_path, database_url)
    yield place
    for program in place.programs:
        if program.poll() is None:
            program.kill()
            program.wait()
    place.database.dispose()


@pytest.fixture
def desk() -> Desk:
    return Desk()
