"""Fixtures: the plugin with a content type, and scriptable servers with the APIs of two CDNs."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from sqlalchemy import delete, select
from sqlalchemy.orm import DeclarativeBase

from masthead import ContentItem, ContentType, Instance, Plugin, hookimpl, plugin_metadata
from masthead.testing import Client, Desk, HttpServer, Received, Reply
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


class Api(HttpServer):
    """A server that answers as a CDN's API, as its documentation describes it."""

    def __init__(self) -> None:
        super().__init__()
        self.purged: list[list[str]] = []
        """The keys of each call that succeeded."""

    @property
    def keys(self) -> set[str]:
        """All purged keys."""
        return {key for each in self.purged for key in each}

    def forget(self) -> None:
        super().forget()
        self.purged.clear()


class FastlyApi(Api):
    def answer(self, received: Received) -> Reply:
        if received.headers.get("fastly-key") != TOKEN:
            return Reply(401, body=b'{"msg":"Provided credentials are missing or invalid"}')
        if received.path == "/service/Harbour1/purge_all":
            self.purged.append(["*"])
            return Reply(200, body=b'{"status":"ok"}')
        keys = received.headers.get("surrogate-key", "").split()
        if received.path != "/service/Harbour1/purge" or received.body or not 1 <= len(keys) <= 256:
            return Reply(400, body=b'{"msg":"Bad request"}')
        self.purged.append(keys)
        return Reply(200, body=json.dumps(dict.fromkeys(keys, "1-2")).encode())


class CloudflareApi(Api):
    def answer(self, received: Received) -> Reply:
        if received.headers.get("authorization") != f"Bearer {TOKEN}":
            return _result(403, [{"code": 10000, "message": "Authentication error"}])
        asked = received.json
        tags = asked.get("tags", ["*"] if asked == {"purge_everything": True} else [])
        if received.path != "/zones/harbour/purge_cache" or not 1 <= len(tags) <= 30:
            return _result(400, [{"code": 1094, "message": "Invalid purge"}])
        self.purged.append(tags)
        return _result(200, [])


def _result(status: int, errors: list[Any]) -> Reply:
    found = {"success": not errors, "errors": errors, "messages": [], "result": {"id": "1"}}
    return Reply(status, body=json.dumps(found).encode())


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


@pytest.fixture
def fastly(_fastly: FastlyApi) -> FastlyApi:
    _fastly.forget()
    return _fastly


@pytest.fixture
def cloudflare(_cloudflare: CloudflareApi) -> CloudflareApi:
    _cloudflare.forget()
    return _cloudflare


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
    fastly.forget()
    cloudflare.forget()
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
