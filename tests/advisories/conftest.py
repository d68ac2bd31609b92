"""An instance with all installed plugins, as a deployer gets it, and the clients that attack it."""

from __future__ import annotations

import http.client
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from PIL import Image

from masthead.testing import Client, Desk
from masthead.testing.programs import read_start


@pytest.fixture
def plugins() -> list[str]:
    """Enable all installed plugins."""
    return []


@pytest.fixture
def editor(app: Client) -> Client:
    """A client that may write all content and approve nothing."""
    return app.as_role("editor")


@pytest.fixture
def admin(app: Client) -> Client:
    return app.as_role("admin")


@pytest.fixture
def news(app: Client) -> Desk:
    """Articles, as an editor writes them."""
    return Desk(app, "news").as_role("editor")


@pytest.fixture
def events(app: Client) -> Desk:
    """Events, as an editor writes them."""
    return Desk(app, "events").as_role("editor")


@pytest.fixture
def stored(news: Desk) -> Callable[[str], str]:
    """Return a function that stores HTML as the content of an article and returns the result."""

    def store(html: str) -> str:
        return str(news.create(content=html)["content"] or "")

    return store


@pytest.fixture(scope="session")
def is_linear() -> Callable[..., bool]:
    """Return a function that tells whether the time of a call grows no faster than its size.

    It compares two sizes, whose times differ by a factor of 8 if they are linear, and of 64 if they
    are quadratic.
    """

    def measure(call: Callable[[int], object], size: int) -> float:
        began = time.process_time()
        call(size)
        return time.process_time() - began

    def compare(call: Callable[[int], object], size: int = 2_000) -> bool:
        small, large = (min(measure(call, s) for _ in range(3)) for s in (size, 8 * size))
        # Short times are those of the request around the call.
        return large < 24 * small or large < 0.05

    return compare


@pytest.fixture(scope="session")
def picture() -> Callable[..., bytes]:
    """Return a function that makes an image: ``picture("JPEG", 40, 30)``, with options of save."""

    def make(form: str = "PNG", width: int = 40, height: int = 30, **options: Any) -> bytes:
        file = BytesIO()
        Image.new("RGB", (width, height), "teal").save(file, form, **options)
        return file.getvalue()

    return make


@pytest.fixture
def subscribe(app: Client) -> Callable[..., Any]:
    """Return a function that subscribes an address by the public form."""

    def send(email: str, *, status: int = 200, **fields: Any) -> Any:
        body = {"email": email, **fields}
        return app.post_json("/api/newsletter/subscribe", body, status=status).json

    return send


@pytest.fixture
def send_newsletter(app: Client) -> Callable[..., int]:
    """Return a function that sends an approved newsletter and returns its id."""

    def send(**fields: Any) -> int:
        staff, chief = app.as_role("editor"), app.as_role("admin")
        body = {"title": "May", "subject": "News", "html_content": "<p>Hello {{name}}</p>"}
        made = staff.post_json("/api/staff/newsletters", body | fields).json
        item = {"contentType": "newsletters", "contentId": made["id"]}
        staff.post_json("/api/staff/approval/request", item)
        chief.post_json("/api/staff/approval/approve", item)
        chief.post_json(f"/api/staff/newsletters/{made['id']}/send")
        return int(made["id"])

    return send


class Server:
    """A server of the command ``masthead serve``, and clients that send raw bytes."""

    def __init__(self, folder: Path) -> None:
        environ = {name: v for name, v in os.environ.items() if not name.startswith("MASTHEAD_")}
        environ |= {
            "MASTHEAD_DATA": str(folder / "data"),
            "MASTHEAD_SERVER_REQUEST_TIMEOUT": "2",
            "MASTHEAD_SERVER_IDLE_TIMEOUT": "5",
            "MASTHEAD_WORKER_INSIDE": "false",
        }
        program = [sys.executable, "-c", "from masthead.cli import main; main()", "serve"]
        self._log = (folder / "log").open("wb")
        self._process = subprocess.Popen(
            [*program, "--port", "0"],
            stdout=subprocess.PIPE,
            stderr=self._log,
            env=environ,
            text=True,
        )
        address, printed = read_start(self._process, 30)
        assert address, printed
        parts = urlsplit(address)
        self.address = (str(parts.hostname), int(parts.port or 0))

    def connect(self) -> socket.socket:
        return socket.create_connection(self.address, timeout=10)

    def send(self, *parts: bytes) -> bytes:
        """Send bytes, and return all that the server answers before it closes or is idle."""
        with self.connect() as client:
            for part in parts:
                client.sendall(part)
            return receive(client)

    def answers(self) -> bool:
        """Whether the server answers a new client at once."""
        began = time.monotonic()
        connection = http.client.HTTPConnection(*self.address, timeout=10)
        connection.request("GET", "/healthz")
        status = connection.getresponse().status
        connection.close()
        return status == 200 and time.monotonic() - began < 3

    def stop(self) -> int:
        self._process.terminate()
        self._process.communicate(timeout=30)
        self._log.close()
        return self._process.returncode


def receive(client: socket.socket) -> bytes:
    """Return what a server sends until it closes, or sends nothing for half a second."""
    client.settimeout(0.5)
    received = b""
    try:
        while piece := client.recv(65_536):
            received += piece
    except TimeoutError:
        pass
    return received


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that is shared by the tests of a process."""
    running = Server(tmp_path_factory.mktemp("served"))
    yield running
    assert running.stop() == 0
