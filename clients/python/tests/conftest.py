"""A server of Masthead with all plugins, and clients of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from masthead_client import Client, Retry
from tests.journeys.conftest import Site

Connect = Callable[..., Client]
QUICK = Retry(attempts=3, first=0.001)


class Unreliable(httpx.HTTPTransport):
    """The network to a server, with faults before the next requests get through."""

    def __init__(self, *faults: httpx.Response | httpx.TransportError) -> None:
        super().__init__()
        self.faults = list(faults)
        self.sent: list[httpx.Request] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.sent.append(request)
        if not self.faults:
            return super().handle_request(request)
        fault = self.faults.pop(0)
        if isinstance(fault, httpx.TransportError):
            raise fault
        return fault


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server that is started once for all tests."""
    folder = tmp_path_factory.mktemp("site")
    environ = {name: v for name, v in os.environ.items() if not name.startswith("MASTHEAD_")}
    made = Site(environ | {"MASTHEAD_DATA": str(folder / "data")}, folder / "log")
    made.start()
    yield made
    made.close()


@pytest.fixture(scope="session")
def password(site: Site) -> str:
    """The password of the administrator."""
    return site.printed_value("password")


@pytest.fixture(scope="session")
def token(site: Site, password: str) -> str:
    """The token of the administrator."""
    return site.log_in("admin", password)


@pytest.fixture
def connect(site: Site) -> Iterator[Connect]:
    """Return a function that makes a client, which is closed after the test."""
    with ExitStack() as made:
        yield lambda **options: made.enter_context(Client(site.address, **options))


@pytest.fixture
def client(connect: Connect, token: str) -> Client:
    """A client of the administrator."""
    return connect(token=token, retry=QUICK)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
