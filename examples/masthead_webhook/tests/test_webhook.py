"""The other program is called once for each publication, and again after a failure."""

import json
from collections.abc import Callable, Iterator

import pytest
from sqlalchemy.orm import DeclarativeBase

from masthead import Approvable, ContentItem, ContentType, Plugin, hookimpl, plugin_metadata
from masthead.testing import Client, Clock, Desk, HttpServer, PluginContract
from masthead_webhook.plugin import MOST_FAILURES
from masthead_webhook.plugin import plugin as webhook

OTHER = HttpServer()


class Base(DeclarativeBase):
    metadata = plugin_metadata("notes")


class Note(ContentItem, Base):
    __tablename__ = "notes_note"


NOTES = ContentType(name="notes", label="Note", model=Note)


class Hooks:
    @hookimpl
    def masthead_content_types(self) -> list[Approvable]:
        return [NOTES]


PLUGINS = [webhook, Plugin("notes", hooks=(Hooks(),), base=Base)]


@pytest.fixture
def plugins() -> list[Plugin]:
    return PLUGINS


@pytest.fixture
def settings() -> dict[str, str]:
    return {"masthead.webhook.address": OTHER.url}


@pytest.fixture
def other() -> Iterator[HttpServer]:
    yield OTHER
    OTHER.forget()


@pytest.fixture
def desk(app: Client) -> Desk:
    return Desk(app, "notes").as_role("admin")


class TestWebhook(PluginContract):
    plugin = "webhook"


def test_a_publication_is_told_once(
    desk: Desk, other: HttpServer, work: Callable[..., None]
) -> None:
    desk.create(title="A draft")
    item = desk.create_public(title="A note")

    work("webhook.")
    work("webhook.")

    [call] = other.received
    assert json.loads(call.body) == {"type": "notes", "id": item["id"], "slug": "a-note"}


def test_a_failed_call_is_made_again_later_and_given_up_at_last(
    clock: Clock, desk: Desk, other: HttpServer, work: Callable[..., None]
) -> None:
    desk.create_public(title="A note")
    other.reply(503)
    work("webhook.")
    work("webhook.")
    assert len(other.received) == 1

    clock.shift(seconds=13)
    work("webhook.")
    clock.shift(days=1)
    work("webhook.")
    assert len(other.received) == 2

    desk.create_public(title="Another note")
    for _ in range(MOST_FAILURES + 2):
        other.reply(500)
        work("webhook.")
        clock.shift(hours=6)
    assert len(other.received) == 2 + MOST_FAILURES
