"""Servers in separate processes and folders."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from masthead.testing.programs import read_start

MASTHEAD = [sys.executable, "-c", "from masthead.cli import main; main()"]
BARE = [sys.executable, str(Path(__file__).with_name("bare.py"))]


@dataclass
class Running:
    """A running server."""

    pid: int
    address: str
    printed: str
    seconds: float
    """The time from its start to its first answer."""
    log: Path

    def send(self, number: signal.Signals) -> None:
        """Send a signal to each process that answers requests."""
        for pid in _children(self.pid) or [self.pid]:
            os.kill(pid, number)

    @property
    def cpu(self) -> float:
        """The processor seconds of the process and its children."""
        ticks = sum(_ticks(pid) for pid in (self.pid, *_children(self.pid)))
        return ticks / os.sysconf("SC_CLK_TCK")

    @property
    def own_memory(self) -> float:
        """The resident memory of the process alone in MiB."""
        return _kibibytes(self.pid, "VmRSS") / 1024

    @property
    def memory(self) -> float:
        """The resident memory of the process and its children in MiB."""
        return sum(_kibibytes(pid, "VmRSS") for pid in (self.pid, *_children(self.pid))) / 1024


@contextmanager
def folder() -> Iterator[Path]:
    """Make a temporary folder for an instance."""
    with tempfile.TemporaryDirectory(prefix="masthead-bench-") as name:
        yield Path(name)


def environ(data: Path, **settings: str) -> dict[str, str]:
    """Return an instance's environment; ``server__threads="8"`` is ``masthead.server.threads``."""
    kept = {name: v for name, v in os.environ.items() if not name.startswith("MASTHEAD_")}
    named = {f"MASTHEAD_{name.replace('__', '_').upper()}": v for name, v in settings.items()}
    return {**kept, "MASTHEAD_DATA": str(data), **named}


@contextmanager
def masthead(data: Path, **settings: str) -> Iterator[Running]:
    """Run ``masthead serve`` on a free port."""
    with _running([*MASTHEAD, "serve", "--port", "0"], data, environ(data, **settings)) as server:
        yield server


@contextmanager
def switched(data: Path, **settings: str) -> Iterator[Running]:
    """Run ``masthead serve`` so that signals turn its metrics on and off."""
    program = [sys.executable, str(Path(__file__).with_name("metrics_server.py"))]
    with _running([*program, "serve", "--port", "0"], data, environ(data, **settings)) as server:
        yield server


@contextmanager
def bare(data: Path, body: Path, threads: int) -> Iterator[Running]:
    """Run the bare view on waitress."""
    with _running([*BARE, str(body), str(threads)], data, dict(os.environ)) as server:
        yield server


@contextmanager
def granian(data: Path, threads: int) -> Iterator[Running]:
    """Run Masthead with granian; the database must exist."""
    command = [sys.executable, str(Path(__file__).with_name("granian_server.py")), str(threads)]
    with _running(command, data, environ(data)) as server:
        yield server


@contextmanager
def file(data: Path, path: Path, threads: int) -> Iterator[Running]:
    """Run a server of one file."""
    command = [sys.executable, str(Path(__file__).with_name("file_server.py")), str(path)]
    with _running([*command, str(threads)], data, dict(os.environ)) as server:
        yield server


def run(data: Path, *arguments: str) -> None:
    """Run a command of ``masthead``."""
    subprocess.run([*MASTHEAD, *arguments], env=environ(data), check=True, capture_output=True)


@contextmanager
def _running(command: list[str], data: Path, env: dict[str, str]) -> Iterator[Running]:
    with tempfile.NamedTemporaryFile(dir=data.parent, suffix=".log") as log:
        began = time.perf_counter()
        process = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=log, text=True)
        try:
            address, printed = read_start(process, 60)
            if not address:
                raise RuntimeError(f"it ended: {printed}")
            with urllib.request.urlopen(f"{address}/api/news") as answer:
                answer.read()
            seconds = time.perf_counter() - began
            yield Running(process.pid, address, printed, seconds, Path(log.name))
        finally:
            process.terminate()
            process.communicate(timeout=30)


def peak(pid: int) -> float:
    """Return the peak memory of a process in MiB."""
    return _kibibytes(pid, "VmHWM") / 1024


def _ticks(pid: int) -> int:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def _kibibytes(pid: int, name: str) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split(f"{name}:")[1].split()[0])


def _children(pid: int) -> list[int]:
    """Return the children of all threads of a process."""
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(each) for children in tasks for each in children.read_text().split()]
