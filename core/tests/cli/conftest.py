from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from masthead.cli import main
from masthead.testing.databases import VARIABLE
from masthead.testing.postgres import create_database, drop_database
from masthead.testing.programs import read_start

TOO_LONG = 30


class Serving:
    """A ``masthead serve`` on a free port."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.printed = ""
        self.address = ""
        self.log = ""

    def wait_until_it_answers(self) -> str:
        """The address that it prints; "" if it ends before."""
        self.address, self.printed = read_start(self.process, TOO_LONG)
        return self.address

    def stop(self) -> int:
        """Send SIGTERM and return the exit status."""
        self.process.send_signal(signal.SIGTERM)
        printed, log = self.process.communicate(timeout=TOO_LONG)
        self.printed += printed
        self.log = log
        return self.process.returncode


@pytest.fixture
def program() -> list[str]:
    """The path of the program ``masthead``."""
    return [sys.executable, "-c", "from masthead.cli import main; main()"]


@pytest.fixture
def environ(
    tmp_path: Path, worker_name: str, postgresql_server: Callable[[], str]
) -> Iterator[dict[str, str]]:
    """The environment variables of an instance with an empty database."""
    found = {name: value for name, value in os.environ.items() if not name.startswith("MASTHEAD_")}
    found |= {"MASTHEAD_DATA": str(tmp_path / "data"), "MASTHEAD_PLUGINS": "core"}
    if os.environ.get(VARIABLE) != "postgresql":
        yield found
        return
    name = f"cli_{worker_name}"
    url = create_database(postgresql_server(), name)
    secret = "5e8b7f0a4b7c4c0e9a3e0d6d1f2a9b48"
    yield found | {"MASTHEAD_DATABASE_URL": url, "MASTHEAD_AUTH_SECRETS": secret}
    drop_database(postgresql_server(), name)


@pytest.fixture
def run(environ: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Runs a command in this process, which is faster than a new process."""
    for name in [name for name in os.environ if name.startswith("MASTHEAD_")]:
        monkeypatch.delenv(name)

    def invoke(*arguments: str | Path, stdin: str | None = None) -> Result:
        return CliRunner().invoke(main, [str(each) for each in arguments], stdin, environ)

    return invoke


@pytest.fixture
def serve(program: list[str], environ: Mapping[str, str]) -> Iterator[Callable[..., Serving]]:
    """Starts ``masthead serve`` on a free port, and kills it if the test doesn't stop it."""
    started: list[subprocess.Popen[str]] = []

    def start(*arguments: str) -> Serving:
        process = subprocess.Popen(
            [*program, "serve", "--port", "0", *arguments],
            env=environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        return Serving(process)

    yield start
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()
