"""The query parameters of all lists: one rule for blanks, one error for each kind of mistake."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest

from masthead import ContentType
from masthead.http.endpoints import Endpoint
from masthead.http.list_query import Ids, Names
from masthead.http.permissions import PUBLIC
from masthead.instance import Instance
from masthead.schemas.field_types import Bool, Choice, FieldType, Int, Str, Timestamp
from masthead.schemas.language_tags import LanguageTag
from masthead.testing import Client, Desk

BLANKS = ["", " ", "%20%20", "%09", "%C2%A0", "%E3%80%80"]
NUMBERS = ["x", "1.5", "1e5", "+1", "0x1", "%D9%A1%D9%A2", "1,000", "--1", "1%C2%A0", "null", "NaN"]
OUTSIDE = ["-1", "-9223372036854775809", "-" + "9" * 5_000]
PAST_ANY = ["9223372036854775808", "9" * 5_000]
WRONG: dict[type[FieldType], dict[str, list[str]]] = {
    Int: {"Must be an integer": NUMBERS, "Must be between # and #": OUTSIDE},
    Bool: {"Must be true or false": ["perhaps", "2", "-1", "yes", "null"]},
    Choice: {"Must be one of #": ["unknown", "NEW", "2", "null"]},
    Names: {"Must be one of #": ["unknown", "id,unknown", "NEW", "2", "null"]},
    Ids: {
        "Must be an integer": ["x", "1.5", ",", "1,x", "null"],
        "Must be between # and #": [*OUTSIDE, *PAST_ANY, "1,0"],
        "At most # ids": ["1," * 501],
    },
    Timestamp: {
        "Must be an ISO # date-time": ["yesterday", "2026", "1.5", "null"],
        "Must be an ISO # date-time that exists": ["2026-13-01T00:00:00Z"],
    },
    LanguageTag: {"Must be the tag of a language, such as de or pt-BR": ["d", "12", "de-"]},
    Str: {
        "Must not contain control characters": ["a%00", "%1F", "%0Ba"],
    },
}


@pytest.fixture
def _items(app: Client, instance: Instance) -> None:
    """Create items, so that a filter that excludes them is noticed."""
    app.as_role("admin").post_json("/api/staff/tags", {"name": "Water"})
    for kind in instance.content_types.values():
        if isinstance(kind, ContentType):
            desk = Desk(app, kind.name).as_role("admin")
            desk.create_public(startDate="2036-01-01T00:00:00.000Z")
    app.as_role("admin").post_json("/api/staff/contacts", {"name": "Ada", "tags": ["choir"]})
    app.post_json(
        "/api/contact",
        {"name": "Ada", "email": "a@b.test", "subject": "Hello", "message": "Hello"},
    )


@pytest.fixture
def lists(instance: Instance) -> list[Endpoint]:
    return [each for each in instance.endpoints if each.page is not None and "{" not in each.path]


def parameters(lists: list[Endpoint]) -> Iterator[tuple[Endpoint, str, Any]]:
    """Yield every query parameter of every list, with its type."""
    for endpoint in lists:
        for node in endpoint.parameters.children:
            yield endpoint, node.name, node.typ


def client_for(app: Client, endpoint: Endpoint) -> Client:
    return app if endpoint.permission == PUBLIC else app.as_role("admin")


@pytest.mark.usefixtures("_items")
def test_a_blank_filter_is_as_none(app: Client, lists: list[Endpoint]) -> None:
    filtered = [each for each in parameters(lists) if each[1] not in ("limit", "offset")]
    assert len(filtered) > 20

    for endpoint, name, _ in filtered:
        client = client_for(app, endpoint)
        everything = client.get(endpoint.path).body
        for blank in BLANKS:
            assert client.get(f"{endpoint.path}?{name}={blank}").body == everything, (
                endpoint.path,
                name,
                blank,
            )


def test_one_kind_of_mistake_has_one_error(app: Client, lists: list[Endpoint]) -> None:
    for endpoint, name, kind in parameters(lists):
        wanted = next(given for base, given in WRONG.items() if isinstance(kind, base))
        for message, values in wanted.items():
            for value in values:
                address = f"{endpoint.path}?{name}={value}"
                answer = client_for(app, endpoint).get(address, status=400)
                assert shape(answer.json["error"]) == f"{name}: {message}", address


def test_a_number_past_the_bounds_is_refused_alike(app: Client, lists: list[Endpoint]) -> None:
    numbers = [each for each in parameters(lists) if isinstance(each[2], Int)]

    for endpoint, name, _ in numbers:
        for value in PAST_ANY:
            client, address = client_for(app, endpoint), f"{endpoint.path}?{name}={value}"
            if name == "limit":
                client.get(address)
            else:
                error = client.get(address, status=400).json["error"]
                assert shape(error) == f"{name}: Must be between # and #"


@pytest.mark.usefixtures("_items")
def test_an_unknown_text_finds_nothing_however_long(app: Client, lists: list[Endpoint]) -> None:
    texts = [e for e in parameters(lists) if isinstance(e[2], Str) and e[1] not in ("search", "q")]
    assert len(texts) >= 7

    for endpoint, name, _ in texts:
        for value in ("unknown", "x" * 5_000, quote("ſ\u200b'\"%_\\"), "1"):
            answer = client_for(app, endpoint).get(f"{endpoint.path}?{name}={value}")
            found = answer.json["items"] if endpoint.name == "search.list" else answer.json
            assert found == [], (endpoint.path, name)


def shape(message: str) -> str:
    """Return a message with # for the bounds and words that differ between parameters."""
    listed = re.sub(r"(?<=Must be one of ).*", "#", message)
    return re.sub(r"-?\d+", "#", listed)
