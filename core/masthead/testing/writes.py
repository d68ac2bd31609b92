"""Requests to the endpoints that write, with bodies made from their schemas."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import colander

from masthead.http.endpoints import Endpoint
from masthead.http.revisions import ETAG
from masthead.resources.forms import HONEYPOT
from masthead.schemas.field_types import FieldType, Int
from masthead.schemas.schema import ListOf, Nullable, Object
from masthead.schemas.slugs import SLUG_FIELD
from masthead.testing.addresses import Item, paths_of
from masthead.testing.client import Client
from masthead.testing.samples import sample_of

_LEFT_OUT: Final = frozenset({ETAG, HONEYPOT})
"""The members with which a body is refused: no revision is known, and the honeypot is empty."""
_WRONG: Final = [[{"wrong": None}]]
"""A value that nearly no type accepts."""
_LEAST: Final = -1
"""Instead of the number of a sample: the least integer if it is 0 or 1, otherwise the first one."""
_FILE: Final = b"some text"


@dataclass(frozen=True)
class Write:
    """A request to an endpoint that writes."""

    endpoint: Endpoint
    path: str
    body: dict[str, Any] | None
    """The members of the body; None for a request without one."""

    def __str__(self) -> str:
        """Return method, path and body, for messages."""
        return f"{self.endpoint.method} {self.path} {json.dumps(self.body, ensure_ascii=False)}"

    def send(self, client: Client) -> Any:
        """Send the request, and return the answer, which may have any declared status."""
        upload = self.endpoint.upload
        if upload is not None:
            texts = {name: _as_text(value) for name, value in (self.body or {}).items()}
            begin = upload.begins[0] if upload.begins else b""
            files = [(upload.name, "file.txt", begin + _FILE)]
            send = getattr(client, self.endpoint.method.lower())
            return send(self.path, texts, upload_files=files, status="*")
        if self.body is None:
            return client.request(self.path, method=self.endpoint.method, status="*")
        return client.request(
            self.path,
            method=self.endpoint.method,
            body=json.dumps(self.body).encode(),
            headers={"Content-Type": "application/json"},
            status="*",
        )


def write_requests(endpoints: Iterable[Endpoint], items: Sequence[Item] = ()) -> Iterator[Write]:
    """Yield requests to each endpoint that isn't a ``GET``.

    The bodies are complete, have the required members only, are empty, or have wrong values. The
    requests that delete come last.

    :param items: JSON objects, whose ids, slugs and other values stand for those that an endpoint
        takes.
    :raises LookupError: for a required member whose type has no samples.
    """
    writing = [each for each in endpoints if each.method != "GET"]
    for endpoint in sorted(writing, key=lambda each: each.method == "DELETE"):
        for path in paths_of(endpoint, items):
            for body in _bodies(endpoint, items):
                yield Write(endpoint, path, body)


def _bodies(endpoint: Endpoint, items: Sequence[Item]) -> list[dict[str, Any] | None]:
    if endpoint.raw_body is not None:
        return [{}]
    nodes = [each for each in endpoint.body or () if each.name not in _LEFT_OUT]
    if not nodes:
        return [None]
    named: list[Item | None] = [*items] or [None]
    complete = [_members(nodes, which, item) for item in named for which in (0, 1)]
    needed = _members([each for each in nodes if each.required], _LEAST, named[0])
    wrong = {each.name: _WRONG for each in nodes}
    # The wrong ones come first, because the others may change the state.
    return [wrong, {}, needed, *complete]


def _members(nodes: Iterable[colander.SchemaNode], which: int, item: Item | None) -> dict[str, Any]:
    """Return a sample of each member; an optional one without samples is left out."""
    found = {}
    for node in nodes:
        try:
            found[node.name] = _value(node.name, node.typ, which, item)
        except LookupError:
            if node.required:
                raise
    return found


def _value(name: str, kind: FieldType, which: int, item: Item | None) -> Any:
    """Return a sample, or a value of the item for a member that names one."""
    if isinstance(kind, Nullable):
        return _value(name, kind.inner, which, item)
    if isinstance(kind, Object) and not kind.samples:
        return _members(kind.node, which, item)
    if isinstance(kind, ListOf):
        return [_value(name.removesuffix("s"), kind.inner, which, item)][: kind.max_length]
    value = sample_of(kind, max(which, 0))
    if which == _LEAST and isinstance(kind, Int) and kind.minimum in (0, 1):
        value = kind.minimum
    if item is not None and isinstance(kind, Int) and name.lower().endswith("id"):
        value = item["id"]
    if item is not None and name.lower().endswith(SLUG_FIELD):
        value = item.get(SLUG_FIELD) or value
    return value


def _as_text(value: Any) -> str:
    """Return a value as a form sends it."""
    return value if isinstance(value, str) else json.dumps(value)
