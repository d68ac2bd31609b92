"""Fixtures: webhooks, a content type, and a server that is called."""

from __future__ import annotations

import json
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from sqlalchemy.orm import DeclarativeBase

from masthead import ContentItem, ContentType, Instance, Plugin, hookimpl, plugin_metadata
from masthead.testing import Client, Desk
from masthead_webhooks.delivery import send_due
from masthead_webhooks.plugin import plugin as webhooks

STAFF = "/api/staff/webhooks"


class Base(DeclarativeBase):
    metadata = plugin_metadata("harbour")


class Ship(ContentItem, Base):
    __tablename__ = "harbour_ship"


class Boat(ContentItem, Base):
    __tablename__ = "harbour_boat"


SHIPS = ContentType(name="ships", label="Ship", model=Ship)
BOATS = ContentType(name="boats", label="Boat", model=Boat)


class Hooks:
    @hookimpl
    def masthead_content_types(self) -> list[ContentType]:
        return [SHIPS, BOATS]


@dataclass
class Received:
    """A request that the server has received."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Reply:
    """The answer of the server; ``pause`` is the time between its bytes."""

    status: int = 204
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    pause: float = 0


def _handler(outer: Server) -> type[BaseHTTPRequestHandler]:
    """Return the class that answers the requests to a server."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            outer.under_way += 1
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items()}
            outer.received.append(Received(self.path, headers, body))
            reply = outer.replies.pop(0) if outer.replies else Reply()
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(reply.body)))
            self.end_headers()
            try:
                if reply.pause:
                    for byte in reply.body:
                        self.wfile.write(bytes([byte]))
                        time.sleep(reply.pause)
                else:
                    self.wfile.write(reply.body)
            except OSError:
                pass
            outer.under_way -= 1

        def do_GET(self) -> None:
            self.do_POST()

        def log_message(self, *_: Any) -> None:
            pass

    return Handler


class Server:
    """A server on loopback that records requests and gives the next one of its replies."""

    def __init__(
        self, host: str = "127.0.0.1", port: int = 0, tls: ssl.SSLContext | None = None
    ) -> None:
        self.received: list[Received] = []
        self.replies: list[Reply] = []
        self.under_way = 0
        self._server = ThreadingHTTPServer((host, port), _handler(self))
        self._server.daemon_threads = True
        if tls is not None:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
        self.port = self._server.server_address[1]
        self.url = f"http://{host}:{self.port}/hook"
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def reply(self, status: int = 204, **values: Any) -> None:
        """Answer the next request without a reply with this one."""
        self.replies.append(Reply(status, **values))

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def plugins() -> list[Plugin]:
    harbour = Plugin(name="harbour", hooks=(Hooks(),), base=Base)
    return [webhooks, harbour]


@pytest.fixture
def settings() -> Mapping[str, str]:
    return {
        "masthead.webhooks.allow_http": "true",
        "masthead.webhooks.allowed_networks": "127.0.0.1/32",
        "masthead.webhooks.timeout": "1",
    }


@pytest.fixture
def make_server() -> Iterator[Callable[..., Server]]:
    servers: list[Server] = []

    def make(*place: Any, **options: Any) -> Server:
        servers.append(Server(*place, **options))
        return servers[-1]

    yield make
    for each in servers:
        each.close()


@pytest.fixture
def server(make_server: Callable[..., Server]) -> Server:
    return make_server()


@pytest.fixture
def staff(app: Client) -> Client:
    return app.as_role("admin")


@pytest.fixture
def make_webhook(staff: Client, server: Server) -> Callable[..., Any]:
    """Creates webhooks that call the server."""

    def make(*events: str, **values: Any) -> Any:
        body = {"url": server.url, "events": list(events or ["content.*"]), **values}
        return staff.post_json(STAFF, body).json

    return make


@pytest.fixture
def ships(app: Client) -> Desk:
    return Desk(app, "ships").as_role("editor")


@pytest.fixture
def send(instance: Instance) -> Callable[[], None]:
    """Calls webhooks as a worker does."""

    def run() -> None:
        while send_due(instance, lambda: True):
            pass

    return run


@pytest.fixture
def log(staff: Client) -> Callable[..., Any]:
    """Returns the deliveries of a webhook, newest first."""
    return lambda webhook, **query: staff.get(f"{STAFF}/{webhook['id']}/deliveries", query).json
