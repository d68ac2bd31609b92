"""Fixtures: webhooks, a content type, and a server that is called."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from sqlalchemy.orm import DeclarativeBase

from masthead import ContentItem, ContentType, Instance, Plugin, hookimpl, plugin_metadata
from masthead.testing import Client, Desk, HttpServer
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


class Server(HttpServer):
    """A server whose address has a path."""

    def __init__(self, *place: Any, **options: Any) -> None:
        super().__init__(*place, **options)
        self.url += "/hook"


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
