"""The public fields of every content type are harmless in a website's pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from html import escape
from typing import Any

import pytest

from masthead import ContentType, Html, Instance, Nullable, Str, Timestamp, Url
from masthead.testing import Client, Desk

pytestmark = [pytest.mark.slow, pytest.mark.any_database]

Accepted = Callable[[Callable[[str], str], Iterable[str]], list[str]]

SENT = {
    Html: "x {}",
    Str: "x {}",
    Url: "/{}",
    Timestamp: "2026-02-01T00:00:00.000Z",
}
SHOWN = {
    Html: "{}",
    Str: '<p class="{}">{}</p>',
    Url: '<a href="{}">x</a><img src="{}">',
}


@pytest.fixture
def plugins() -> list[str]:
    """Enable all installed plugins."""
    return []


def fields(content_type: ContentType) -> Iterator[tuple[str, Any]]:
    """Yield the fields that clients send, with their types."""
    for field in content_type.fields:
        kind = field.kind.inner if isinstance(field.kind, Nullable) else field.kind
        if type(kind) in SENT and not field.name.startswith("scheduled"):
            yield field.name, type(kind)


def publish(desk: Desk, content_type: ContentType, payload: str) -> Any:
    """Return the public JSON of an item with the payload in each field."""
    values = {name: SENT[kind].replace("{}", payload) for name, kind in fields(content_type)}
    return desk.public_item(desk.create_public(**values)["slug"])


def show(content_type: ContentType, item: Any) -> Iterator[str]:
    """Yield the HTML of each field in a website's page."""
    for name, kind in fields(content_type):
        if kind in SHOWN and item.get(name):
            value = item[name] if kind is Html else escape(item[name])
            yield SHOWN[kind].replace("{}", value)


def test_no_payload_does_anything_in_what_visitors_are_given(
    stage: Any, app: Client, instance: Instance, accepted: Accepted, payloads: list[str]
) -> None:
    types = [kind for kind in instance.content_types.values() if isinstance(kind, ContentType)]
    texts = [
        text for text in accepted(Str(150).parse, payloads) if accepted(Url().parse, ["/" + text])
    ]

    shown = [
        piece
        for kind in types
        for text in texts[::150]
        for piece in show(kind, publish(Desk(app, kind.name).as_role("admin"), kind, text))
    ]

    assert len(shown) > 20 * len(types)
    assert stage.perform(shown, "parsed") == {}
    assert stage.perform(shown, "inserted") == {}
