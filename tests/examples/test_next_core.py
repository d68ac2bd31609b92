"""A core with new steps of the kit works with plugins that were built before."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from masthead.db.kit import steps

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
NEXT = steps.newest() + 2
TOO_LONG = 120
# The contract of each content type, and tests of tables with the other kits.
TESTS = {
    "examples/masthead_podcasts": ["test_podcasts.py"],
    "plugins/actions": ["test_contract.py", "test_handling.py"],
    "plugins/crm": ["test_contacts.py"],
    "plugins/email": ["test_newsletters.py", "test_templates.py"],
    "plugins/events": ["test_contract.py"],
    "plugins/news": ["test_contract.py"],
    "plugins/people": ["test_people.py"],
    "plugins/site": ["test_pages.py", "test_static_images.py"],
}


def test_plugins_built_before_keep_the_contract_on_upgraded_tables(old: Any, new: Any) -> None:
    old.run("masthead", "db", "upgrade")
    before = subprocess.run(
        new.command("masthead", "db", "status"),
        cwd=new.folder,
        env=new.environ,
        capture_output=True,
        text=True,
        check=False,
    )
    upgraded = new.run("masthead", "db", "upgrade")
    after = new.run("masthead", "db", "status")

    assert before.returncode == 1
    assert f"the tables of podcasts lack kit {NEXT}; run masthead db upgrade" in before.stdout
    assert re.match(r"Migrated actions, crm, .*podcasts", upgraded)
    assert re.search(rf"^podcasts +0001 +{NEXT} +ok$", after, re.MULTILINE)
    for folder in TESTS:
        shutil.copytree(ROOT / folder / "tests", new.folder / folder)
    chosen = [f"{folder}/{name}" for folder, names in TESTS.items() for name in names]
    url = new.environ["MASTHEAD_DATABASE_URL"]
    options = ["-q", "--import-mode=importlib", "--from-database", url, "-m", "not slow"]
    summary = new.run("pytest", "--rootdir", ".", *options, *chosen).splitlines()[-1]
    assert re.match(r"\d\d\d+ passed\b", summary)


class Load:
    """Threads that write as staff and read as the public, at several servers in turn."""

    def __init__(self, first: str, login: dict[str, str]) -> None:
        self.addresses = [first]
        self.rounds = 0
        self.failures: list[str] = []
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
    assert process.stdout is not None
    guard = threading.Timer(TOO_LONG, process.kill)
    guard.start()
    printed = ""
    while " answers at " not in printed and (line := process.stdout.readline()):
        printed += line
    guard.cancel()
    try:
        yield printed.rsplit(maxsplit=1)[-1], printed
    finally:
        process.terminate()
        process.communicate(timeout=TOO_LONG)


def test_servers_of_both_cores_answer_while_a_step_is_applied(old: Any, new: Any) -> None:
    with serving(old) as (first, printed):
        [password] = re.findall(r"password: (\S+)", printed)
        with Load(first, {"username": "admin", "password": password}) as load:
            load.go_on(10)
            with serving(new) as (second, _):
                load.addresses.append(second)
                load.go_on(30)
                ready = [load.ask(address, "/readyz")["status"] for address in (first, second)]
                load.end()

    assert load.failures == []
    assert ready == ["ok", "ok"]
    assert "Traceback" not in (old.folder / "log").read_text()
    assert re.search(
        rf"^news +0001 +{NEXT} +ok$", new.run("masthead", "db", "status"), re.MULTILINE
    )
