"""Fixtures: the plugin with a content type, and scriptable servers with the APIs of two CDNs."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from sqlalchemy import delete, select
from sqlalchemy.orm import DeclarativeBase

from masthead import ContentItem, ContentType, Instance, Plugin, hookimpl, plugin_metadata
from masthead.testing import Client, Desk
from masthead_cdn.models import CacheState, Purge
from masthead_cdn.plugin import plugin as cdn
from masthead_cdn.sender import Sender, send_due

TOKEN = "hush-hush-of-the-cdn"


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


harbour = Plugin(name="harbour", hooks=(Hooks(),), base=Base)


@dataclass
class Reply:
    """The answer of a server; ``pause`` is the time before it and between its bytes."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    pause: float = 0


class Api:
    """A server on loopback that answers as a CDN's API, unless a reply is scripted."""

    def __init__(self) -> None:
        self.purged: list[list[str]] = []
        """The keys of each call that succeeded."""
        self.calls: list[float] = []
        """The time of each call."""
        self.replies: list[Reply] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def answer(self, path: str, headers: Mapping[str, str], body: bytes) -> Reply:
        """Return the answer to a call, as the API's documentation describes it."""
        raise NotImplementedError

    @property
    def keys(self) -> set[str]:
        """All purged keys."""
        return {key for each in self.purged for key in each}

    def reply(self, status: int, **values: Any) -> None:
        """Answer the next call without a reply with this one."""
        self.replies.append(Reply(status, **values))

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class FastlyApi(Api):
    def answer(self, path: str, headers: Mapping[str, str], body: bytes) -> Reply:
        if headers.get("fastly-key") != TOKEN:
            return Reply(401, body=b'{"msg":"Provided credentials are missing or invalid"}')
        if path == "/service/Harbour1/purge_all":
            self.purged.append(["*"])
            return Reply(200, body=b'{"status":"ok"}')
        keys = headers.get("surrogate-key", "").split()
        if path != "/service/Harbour1/purge" or body or not 1 <= len(keys) <= 256:
            return Reply(400, body=b'{"msg":"Bad request"}')
        self.purged.append(keys)
        return Reply(200, body=json.dumps(dict.fromkeys(keys, "1-2")).encode())


class CloudflareApi(Api):
    def answer(self, path: str, headers: Mapping[str, str], body: bytes) -> Reply:
        if headers.get("authorization") != f"Bearer {TOKEN}":
            return _result(403, [{"code": 10000, "message": "Authentication error"}])
        asked = json.loads(body)
        tags = asked.get("tags", ["*"] if asked == {"purge_everything": True} else [])
        if path != "/zones/harbour/purge_cache" or not 1 <= len(tags) <= 30:
            return _result(400, [{"code": 1094, "message": "Invalid purge"}])
        self.purged.append(tags)
        return _result(200, [])


def _result(status: int, errors: list[Any]) -> Reply:
    found = {"success": not errors, "errors": errors, "messages": [], "result": {"id": "1"}}
    return Reply(status, body=json.dumps(found).encode())


def _handler(api: Api) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items()}
            api.calls.append(time.monotonic())
            scripted = api.replies.pop(0) if api.replies else None
            reply = scripted or api.answer(self.path, headers, body)
            time.sleep(reply.pause)
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(reply.body)))
            self.end_headers()
            try:
                for start in range(len(reply.body)) if reply.pause else ():
                    self.wfile.write(reply.body[start : start + 1])
                    time.sleep(reply.pause)
                if not reply.pause:
                    self.wfile.write(reply.body)
            except OSError:
                pass

        def log_message(self, *_: Any) -> None:
            pass

    return Handler


@pytest.fixture(scope="module")
def _fastly() -> Iterator[FastlyApi]:
    api = FastlyApi()
    yield api
    api.close()


@pytest.fixture(scope="module")
def _cloudflare() -> Iterator[CloudflareApi]:
    api = CloudflareApi()
    yield api
    api.close()


def _fresh(api: Any) -> Any:
    """Return a server without the calls of earlier tests."""
    for each in (api.purged, api.calls, api.replies):
        each.clear()
    return api


@pytest.fixture
def fastly(_fastly: FastlyApi) -> FastlyApi:
    return _fresh(_fastly)


@pytest.fixture
def cloudflare(_cloudflare: CloudflareApi) -> CloudflareApi:
    return _fresh(_cloudflare)


@pytest.fixture
def plugins() -> list[Plugin]:
    return [cdn, harbour]


@pytest.fixture
def settings(fastly: FastlyApi, cloudflare: CloudflareApi) -> dict[str, str]:
    return {
        "masthead.cdn.fastly_url": fastly.url,
        "masthead.cdn.fastly_service": "Harbour1",
        "masthead.cdn.fastly_token": TOKEN,
        "masthead.cdn.cloudflare_url": cloudflare.url,
        "masthead.cdn.cloudflare_zone": "harbour",
        "masthead.cdn.cloudflare_token": TOKEN,
        "masthead.cdn.repeat_after": "0",
        "masthead.cdn.timeout": "1",
    }


@pytest.fixture
def _quiet(
    instance: Instance, app: Client, fastly: FastlyApi, cloudflare: CloudflareApi
) -> Iterator[None]:
    """Forget the purges of the start and of new accounts; at the end wait for the thread.

    Other tests use the same instance with another database.
    """
    app.as_role("editor")
    app.as_role("admin")
    _wait_for_thread(instance)
    with instance.database.engine.begin() as connection:
        connection.execute(delete(Purge))
        connection.execute(delete(CacheState))
    _fresh(fastly)
    _fresh(cloudflare)
    yield
    _wait_for_thread(instance)


def _wait_for_thread(instance: Instance) -> None:
    eventually(lambda: instance.shared(Sender)._thread is None)


@pytest.fixture
def _working(instance: Instance, _quiet: None) -> Iterator[None]:
    """Send due purges all the time, as a worker."""
    stop = threading.Event()

    def work() -> None:
        while not stop.wait(0.05):
            send_due(instance, lambda: True)

    thread = threading.Thread(target=work)
    thread.start()
    yield
    stop.set()
    thread.join()


@pytest.fixture
def ships(app: Client, _quiet: None) -> Desk:
    return Desk(app.as_role("editor"), "ships")


@pytest.fixture
def boats(app: Client, _quiet: None) -> Desk:
    return Desk(app.as_role("editor"), "boats")


@pytest.fixture
def waiting(instance: Instance) -> Callable[[], list[tuple[str, str]]]:
    """Return cache and keys of each waiting purge."""

    def read() -> list[tuple[str, str]]:
        with instance.database.read() as connection:
            rows = connection.execute(select(Purge.cache, Purge.keys).order_by(Purge.id))
            return [(cache, keys) for cache, keys in rows]

    return read


def eventually(holds: Callable[[], Any], seconds: float = 30) -> None:
    """Wait until a condition holds."""
    until = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < until, "it doesn't hold in time"
        time.sleep(0.02)
