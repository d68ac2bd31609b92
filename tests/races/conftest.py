"""Two servers on one database, and requests that are sent to them at the same moment."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from masthead import Caller, ContentType, Instance, User
from masthead.approval.services import move
from masthead.approval.transitions import REQUEST
from masthead.auth.tokens import SECRETS
from masthead.content.contenttype import content_types_of
from masthead.content.services import create_items
from masthead.instance import DATA, DATABASE_URL, open_instance
from masthead.plugins import installed
from masthead.testing.accounts import Accounts
from masthead.testing.databases import Databases
from masthead.testing.programs import read_start

ROUNDS = int(os.environ.get("MASTHEAD_TEST_ROUNDS", "4"))
"""The number of rounds of each race."""
MOST_AT_ONCE = 16
SECRET = "9f1c6b7d20e84a53b1d7c2e05a6f4b38"
TOO_LONG = 60


@dataclass(frozen=True)
class Ask:
    """A request of a user."""

    user: User
    method: str
    path: str
    body: Any = None


@dataclass(frozen=True)
class Told:
    """An answer of a server."""

    status: int
    json: Any


@dataclass(frozen=True)
class Staff:
    """The participants: an editor who may not approve, and the only two administrators."""

    editor: User
    one: User
    other: User


class Runners:
    """Clients with one connection each, to the servers in turn, that start at the same moment."""

    def __init__(self, servers: Sequence[str], accounts: Accounts) -> None:
        self._accounts = accounts
        self._tokens: dict[int, str] = {}
        self._threads = ThreadPoolExecutor(MOST_AT_ONCE)
        parts = [urlsplit(servers[i % len(servers)]) for i in range(MOST_AT_ONCE)]
        self._connections = [
            http.client.HTTPConnection(part.hostname or "", part.port, timeout=TOO_LONG)
            for part in parts
        ]
        self._turn = 0

    def race(self, *asked: Ask) -> list[Told]:
        """Send all requests at once, and return the answers in their order."""
        self._turn += 1
        barrier = threading.Barrier(len(asked))
        for ask in asked:
            if ask.user.id not in self._tokens:
                self._tokens[ask.user.id] = self._accounts.token(ask.user)
        # The servers swap their requests from round to round.
        slots = [(i + self._turn) % MOST_AT_ONCE for i in range(len(asked))]
        answers = list(self._threads.map(self._run, asked, slots, [barrier] * len(asked)))
        assert all(answer.status < 500 for answer in answers), answers
        return answers

    def _run(self, ask: Ask, slot: int, barrier: threading.Barrier) -> Told:
        connection = self._connections[slot]
        headers = {"Authorization": f"Bearer {self._tokens[ask.user.id]}"}
        body = None if ask.body is None else json.dumps(ask.body)
        barrier.wait(TOO_LONG)
        connection.request(ask.method, ask.path, body, headers)
        answer = connection.getresponse()
        return Told(answer.status, json.loads(answer.read()))

    def close(self) -> None:
        """Stop the threads, and close the connections."""
        self._threads.shutdown()
        for connection in self._connections:
            connection.close()


@pytest.fixture
def rounds() -> range:
    return range(ROUNDS)


@pytest.fixture(scope="module")
def instance(_databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Instance]:
    """Return an instance with all plugins, the same for all races, as servers start slowly."""
    available = installed()
    folder = tmp_path_factory.mktemp("races")
    with _databases.fresh(available, ()) as url:
        ini = {DATA.name: str(folder), DATABASE_URL.name: url, SECRETS.name: SECRET}
        opened = open_instance(ini, {}, available)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def staff(instance: Instance) -> Staff:
    accounts = Accounts(instance)
    one, other = (accounts.make_user(name, role="admin") for name in ("one", "other"))
    return Staff(accounts.make_user("editor"), one, other)


@pytest.fixture(scope="module")
# The fixture is requested so that its users exist before the servers start.
def servers(instance: Instance, staff: Staff) -> Iterator[list[str]]:  # noqa: ARG001
    """Return the addresses of two servers on the instance's database.

    They find administrators there, and so create none.
    """
    own = {name: v for name, v in os.environ.items() if not name.startswith("MASTHEAD_")}
    own |= {
        DATA.variable: str(instance.settings[DATA]),
        DATABASE_URL.variable: instance.settings[DATABASE_URL],
        SECRETS.variable: SECRET,
    }
    log = Path(instance.settings[DATA]) / "servers.log"
    program = [sys.executable, "-c", "from masthead.cli import main; main()"]
    with log.open("wb") as errors:
        started = [
            subprocess.Popen(
                [*program, "serve", "--port", "0"],
                env=own,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
            for _ in range(2)
        ]
        try:
            yield [_address(process, log) for process in started]
        finally:
            for process in started:
                process.send_signal(signal.SIGTERM)
            for process in started:
                process.communicate(timeout=TOO_LONG)


def _address(process: subprocess.Popen[str], log: Path) -> str:
    address, _ = read_start(process, TOO_LONG)
    assert address, log.read_text()
    return address


@pytest.fixture(scope="module")
def runners(servers: list[str], instance: Instance) -> Iterator[Runners]:
    runners = Runners(servers, Accounts(instance))
    yield runners
    runners.close()


@pytest.fixture
def ask() -> type[Ask]:
    return Ask


@pytest.fixture
def content_type(instance: Instance) -> ContentType:
    """A content type whose items need a title only, and get slugs at their creation."""
    return next(
        content_type
        for content_type in content_types_of(instance)
        if not content_type.slug_on_approval
        and [f.name for f in content_type.fields if f.required] == ["title"]
    )


@pytest.fixture
def make_pending(
    instance: Instance, content_type: ContentType, rounds: range
) -> Callable[[User], list[int]]:
    """Return a function that creates a pending item for each round, and returns their ids."""

    def make(user: User) -> list[int]:
        caller = Caller(
            user.id, user.username, frozenset({content_type.write_permission}), approves=frozenset()
        )
        bodies = [{"title": f"Title {number}"} for number in rounds]
        with instance.database.transaction() as session:
            ids = [item.id for item in create_items(session, content_type, bodies, caller)]
            for item_id in ids:
                move(session, content_type, item_id, REQUEST, caller)
        return ids

    return make
