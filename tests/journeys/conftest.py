"""The assembled product: all installed plugins, as a deployer gets them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from masthead.testing.databases import VARIABLE
from masthead.testing.postgres import create_database, drop_database
from masthead.testing.programs import read_start

TOO_LONG = 30
_SECRET = "5e8b7f0a4b7c4c0e9a3e0d6d1f2a9b48"


class Answer:
    """An answer of a server."""

    def __init__(self, status: int, headers: Any, body: bytes) -> None:
        self.status = status
        self.headers = headers
        self.body = body

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Site:
    """An instance of Masthead in its own folder, served by ``masthead serve``."""

    def __init__(self, environ: dict[str, str], log: Path) -> None:
        self.environ = environ
        self._log = log
        self._process: subprocess.Popen[str] | None = None
        self.wrapper: list[str] = []
        """The beginning of the command that starts the server."""
        self.address = ""
        self.printed = ""

    def start(self, *arguments: str) -> None:
        """Start the server on a free port and wait until it answers."""
        program = [*self.wrapper, sys.executable, "-c", "from masthead.cli import main; main()"]
        with self._log.open("a") as log:
            self._process = subprocess.Popen(
                [*program, "serve", "--port", "0", *arguments],
                env=self.environ,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,
            )
        self.address, printed = read_start(self._process, TOO_LONG)
        self.printed += printed
        assert self.address, self.printed + self.log

    @property
    def pid(self) -> int:
        """The number of the server's process."""
        assert self._process is not None
        return self._process.pid

    @property
    def log(self) -> str:
        """The server's log."""
        return self._log.read_text()

    def wait_until_ready(self) -> None:
        """Wait until the instance is ready, including its worker."""
        end = time.monotonic() + TOO_LONG
        while (answer := self.ask("GET", "/readyz")).status == 503 and time.monotonic() < end:
            time.sleep(0.05)
        assert answer.json["status"] == "ok"

    def printed_value(self, name: str) -> str:
        """Return the value that the server has printed after ``name:``."""
        return self.printed.split(f"{name}: ")[1].split()[0]

    def terminate(self) -> int:
        """Send SIGTERM, and return the exit status."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        return self._end()

    def kill(self) -> None:
        """Kill the server and all its processes, as a power failure would."""
        assert self._process is not None
        os.killpg(self._process.pid, signal.SIGKILL)
        self._end()

    def close(self) -> None:
        """Kill the remaining processes."""
        if self._process is not None:
            self.kill()

    def _end(self) -> int:
        assert self._process is not None
        self._process.communicate(timeout=TOO_LONG)
        status, self._process = self._process.returncode, None
        return status

    def ask(
        self,
        method: str,
        path: str,
        body: Any = None,
        token: str = "",
        headers: dict[str, str] | None = None,
    ) -> Answer:
        """Send JSON or nothing, and return the answer; raise OSError without one."""
        sent = {"Authorization": f"Bearer {token}"} if token else {}
        data = None if body is None else json.dumps(body).encode()
        return self.send(method, path, data, {**sent, **(headers or {})})

    def send(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> Answer:
        """Send bytes, and return the answer; raise OSError without one."""
        request = urllib.request.Request(self.address + path, body, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=TOO_LONG) as response:
                return Answer(response.status, response.headers, response.read())
        except urllib.error.HTTPError as error:
            with error:
                return Answer(error.code, error.headers, error.read())

    def log_in(self, username: str, password: str) -> str:
        """Log in, and return the token."""
        answer = self.ask("POST", "/api/auth/login", {"username": username, "password": password})
        assert answer.status == 200, answer.body
        return str(answer.json["token"])


@pytest.fixture
def plugins() -> list[str]:
    """Enable all installed plugins."""
    return []


@pytest.fixture
def site(tmp_path: Path, worker_name: str, postgresql_server: Callable[[], str]) -> Iterator[Site]:
    """An instance that hasn't been started yet, on SQLite or PostgreSQL."""
    environ = {name: v for name, v in os.environ.items() if not name.startswith("MASTHEAD_")}
    environ |= {"MASTHEAD_DATA": str(tmp_path / "data")}
    database = ""
    if os.environ.get(VARIABLE) == "postgresql":
        database = f"journey_{worker_name}"
        url = create_database(postgresql_server(), database)
        environ |= {"MASTHEAD_DATABASE_URL": url, "MASTHEAD_AUTH_SECRETS": _SECRET}
    made = Site(environ, tmp_path / "log")
    yield made
    made.close()
    if database:
        drop_database(postgresql_server(), database)
