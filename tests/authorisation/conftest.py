"""Every endpoint of all installed plugins, with an effective request for each."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

import pytest
from sqlalchemy import select

from masthead import (
    Approvable,
    Bool,
    Choice,
    ContentType,
    Email,
    Endpoint,
    Html,
    Instance,
    Int,
    LanguageTag,
    ListOf,
    Nullable,
    Object,
    Slug,
    Timestamp,
    Url,
)
from masthead.http.permissions import ADMIN, PUBLIC, SIGNED_IN
from masthead.schemas.field_types import FieldType
from masthead.schemas.time_zones import TimeZone
from masthead.testing import Client, Desk


@pytest.fixture
def plugins() -> list[str]:
    """Enable all installed plugins."""
    return []


@pytest.fixture
def endpoints(instance: Instance) -> list[Endpoint]:
    return instance.endpoints


@pytest.fixture
def closed(endpoints: Sequence[Endpoint]) -> list[Endpoint]:
    """Return the endpoints that need a token."""
    return [endpoint for endpoint in endpoints if endpoint.permission != PUBLIC]


@pytest.fixture
def guarded(closed: Sequence[Endpoint]) -> list[Endpoint]:
    """Return the endpoints that need a permission."""
    return [endpoint for endpoint in closed if endpoint.permission != SIGNED_IN]


@pytest.fixture
def grantable(instance: Instance) -> list[str]:
    """Return the permissions that imply no other permission."""
    return [name for name in instance.permissions if name != ADMIN]


@pytest.fixture
def seeded(app: Client, instance: Instance) -> None:
    """Create items of most kinds, so that the ids from 1 on exist."""
    app.as_role("admin").post_json("/api/staff/tags", {"name": "Water"})
    for content_type in instance.content_types.values():
        if isinstance(content_type, ContentType):
            desk = Desk(app, content_type.name).as_role("admin")
            wanted = {f.name: sample(f.kind) for f in content_type.fields if f.required}
            live, pending = (desk.create(**wanted)["id"] for _ in range(2))
            desk.request(live)
            desk.approve(live)
            desk.request(pending)


Send = Callable[..., list[Any]]


@pytest.fixture
def send(app: Client) -> Send:
    """Return a function that sends a valid request to an endpoint, by every method."""

    def ask(endpoint: Endpoint, headers: dict[str, str], *, empty: bool = False) -> list[Any]:
        """Send the requests; ``empty`` ones name no item, and so change nothing."""
        path = re.sub(r"{[^{}]*}", str(2**62) if empty else "1", endpoint.path)
        if endpoint.body is None:
            body = None
        else:
            body = {} if empty else {n.name: sample(n.typ) for n in endpoint.body.children}
        methods = ("GET", "HEAD") if endpoint.method == "GET" else (endpoint.method,)
        return [_request(app, method, path, body, headers) for method in methods]

    return ask


def _request(app: Client, method: str, path: str, body: Any, headers: dict[str, str]) -> Any:
    call = getattr(app, method.lower() if body is None else f"{method.lower()}_json")
    given = [path] if body is None else [path, body]
    return call(*given, headers=headers, status="*")


Makers = Mapping[type[FieldType], Callable[[], Any]]
"""Functions that return a value of a type, or of one derived from it."""
MAKERS: Makers = {
    Int: lambda: 1,
    Bool: lambda: False,
    Timestamp: lambda: "2036-01-01T00:00:00.000Z",
    Email: lambda: "eve@example.org",
    Url: lambda: "/a",
    Html: lambda: "<p>A text</p>",
    LanguageTag: lambda: "de",
    TimeZone: lambda: "Europe/Berlin",
    Slug: lambda: None,
    FieldType: lambda: "A text",
}


def sample(kind: FieldType, makers: Makers = MAKERS) -> Any:
    """Return a valid value of a type.

    :param makers: the first function for a base of the type makes its value.
    """
    if isinstance(kind, Nullable):
        return sample(kind.inner, makers)
    if isinstance(kind, ListOf):
        return [sample(kind.inner, makers)]
    if isinstance(kind, Object):
        return {node.name: sample(node.typ, makers) for node in kind.node.children}
    if isinstance(kind, Choice):
        return kind.options[0]
    return next(make() for base, make in makers.items() if isinstance(kind, base))


@pytest.fixture
def stored(instance: Instance) -> Callable[[], dict[str, str]]:
    """Return a function that returns a digest of each table's rows."""

    def digest() -> dict[str, str]:
        return dict(_digests(instance))

    return digest


def _digests(instance: Instance) -> Iterator[tuple[str, str]]:
    with instance.database.read() as connection:
        for plugin in instance.plugins:
            for table in plugin.metadata.sorted_tables if plugin.metadata else ():
                rows = sorted(str(tuple(row)) for row in connection.execute(select(table)))
                yield table.name, sha256("\n".join(rows).encode()).hexdigest()


@pytest.fixture
def approvables(instance: Instance) -> list[Approvable]:
    return list(instance.content_types.values())
