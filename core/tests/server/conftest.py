"""Servers in processes of their own, and a client that sends raw bytes."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

SERVED = Path(__file__).with_name("served.py")


PASSING = """
import os, sys
passed, *program = sys.argv[1:]
os.dup2(int(passed), 3)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1")
os.execv(program[0], program)
"""


def _passing(listener: Any) -> list[str]:
    """Return the beginning of a command that passes a socket as systemd does."""
    return [] if listener is None else [sys.executable, "-ISc", PASSING, str(listener.fileno())]


class Running:
    """A running server, whose log and files are in ``folder``."""

    def __init__(
        self, folder: Path, *, environ: Any = None, passed: Any = None, **options: Any
    ) -> None:
        self.folder = folder
        self._log = (folder / "log").open("wb")
        self.process = subprocess.Popen(
            [*_passing(passed), sys.executable, SERVED, json.dumps(options)],
            stdout=subprocess.PIPE,
            stderr=self._log,
            cwd=folder,
            env={**os.environ, **(environ or {})},
            pass_fds=[] if passed is None else [passed.fileno()],
        )
        assert self.process.stdout.readline() == b"before\n", self.log
        parts = urlsplit(self.process.stdout.readline().decode().strip())
        assert parts.port, self.log
        self.address = (parts.hostname, parts.port)

    @property
    def log(self) -> Any:
        return (self.folder / "log").read_text()

    def logged(self, part: str) -> Any:
        """Wait for the first line of the log that contains ``part``, and return it."""
        for _ in range(500):
            for line in self.log.splitlines():
                if part in line:
                    return line
            time.sleep(0.02)
        raise AssertionError(f"{part} is not in {self.log}")

    def noted(self, name: str) -> str:
        """Wait until the application has written a file, and return its text."""
        for _ in range(500):
            if (note := self.folder / name).exists() and (text := note.read_text()):
                return text
            time.sleep(0.02)
        raise AssertionError(f"there is no {name} in {self.folder}")

    def connect(self) -> Any:
        return socket.create_connection(self.address, timeout=15)

    def get(
        self, path: str = "/", method: str = "GET", body: Any = None, headers: Any = None
    ) -> Any:
        connection = http.client.HTTPConnection(*self.address, timeout=15)
        try:
            connection.request(method, path, body, headers or {})
            return Answer(connection.getresponse())
        finally:
            connection.close()

    def send(self, *parts: bytes) -> Any:
        """Send raw bytes and read one response."""
        with self.connect() as client:
            for part in parts:
                client.sendall(part)
            return read_answer(client)

    def stop(self, number: int = signal.SIGTERM) -> Any:
        self.process.send_signal(number)
        return self.wait()

    def wait(self) -> Any:
        try:
            return self.process.wait(15)
        finally:
            self.process.stdout.close()
            self._log.close()


class Answer:
    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.status = response.status
        self.headers = response.headers
        self.body = response.read()

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def read_answer(client: Any, method: str = "GET") -> Any:
    response = http.client.HTTPResponse(client, method=method)
    response.begin()
    return Answer(response)


@pytest.fixture
def answer_on() -> Any:
    return read_answer


@pytest.fixture
def start(tmp_path: Path) -> Any:
    """Starts a server with these options; it is stopped at the end of the test."""
    running = []

    def run(**options: Any) -> Any:
        running.append(Running(tmp_path, **options))
        return running[-1]

    yield run
    for server in running:
        if server.process.returncode is None:
            server.stop()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A server with small limits, shared by tests that don't change it."""
    running = Running(
        tmp_path_factory.mktemp("server"),
        head_timeout=1,
        channel_timeout=2,
        max_head=4096,
        max_body=100_000,
        body_rate=20_000,
    )
    yield running
    assert running.stop() == 0
