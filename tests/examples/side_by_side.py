"""Servers of two releases on one database, and the load on them."""

from __future__ import annotations

import json
import subprocess
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from masthead.testing.programs import read_start

TOO_LONG = 120


class Load:
    """Threads that write as staff and read as the public, at several servers in turn."""

    def __init__(self, first: str, login: dict[str, str]) -> None:
        self.addresses = [first]
        self.rounds = 0
        self.failures: list[str] = []
        self.written = set[int]()
        self._token = self.ask(first, "/api/auth/login", login)["token"]
        self._ended = threading.Event()
        self._threads = [threading.Thread(target=self._work, args=(n,)) for n in range(3)]

    def __enter__(self) -> Load:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        """Stop the threads after their current round."""
        self._ended.set()
        for thread in self._threads:
            thread.join(TOO_LONG)

    def go_on(self, rounds: int) -> None:
        """Wait for a number of further rounds."""
        wanted, deadline = self.rounds + rounds, time.monotonic() + TOO_LONG
        while self.rounds < wanted and not self.failures:
            assert time.monotonic() < deadline
            time.sleep(0.05)

    def ask(self, address: str, path: str, body: Any = None, method: str | None = None) -> Any:
        """Return the JSON of an answer; HTTPError for an error status."""
        sent = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(address + path, sent, method=method)
        if path.startswith("/api/staff"):
            request.add_header("Authorization", f"Bearer {self._token}")
        with urllib.request.urlopen(request, timeout=TOO_LONG) as answer:
            return json.load(answer)

    def _work(self, number: int) -> None:
        while not self._ended.is_set():
            address = self.addresses[(self.rounds + number) % len(self.addresses)]
            try:
                self._publish(address)
            except (OSError, AssertionError) as error:
                self.failures.append(f"{address}: {error!r}")
            self.rounds += 1

    def _publish(self, address: str) -> None:
        item = self.ask(address, "/api/staff/news", {"title": "Compost", "content": "<p>Hot</p>"})
        self.written.add(item["id"])
        path = f"/api/staff/news/{item['id']}"
        self.ask(address, path, {"title": f"Compost {item['id']}"}, "PUT")
        move = {"contentType": "news", "contentId": item["id"]}
        self.ask(address, "/api/staff/approval/request", move)
        self.ask(address, "/api/staff/approval/approve", move)
        self.ask(address, path, {"description": "Warm"}, "PUT")
        assert self.ask(address, "/api/news?limit=1")
        assert self.ask(address, "/api/staff/news?search=compost&limit=1")


@contextmanager
def serving(installed: Any) -> Iterator[tuple[str, str]]:
    """Run ``masthead serve``, and give its address and its output before the address."""
    with (installed.folder / "log").open("a") as log:
        process = subprocess.Popen(
            installed.command("masthead", "serve", "--port", "0"),
            cwd=installed.folder,
            env=installed.environ,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
    try:
        yield read_start(process, TOO_LONG)
    finally:
        process.terminate()
        process.communicate(timeout=TOO_LONG)
