"""No number that a client sends anywhere is a server error.

The test client fails for every status that the endpoint doesn't declare, such as 500.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from itertools import count, cycle, islice, product
from typing import Any
from urllib.parse import quote

import pytest

from masthead import Endpoint, Instance, ListOf, Nullable, Object, User
from masthead.http.endpoints import PLACEHOLDER
from masthead.schemas.field_types import FieldType
from masthead.testing import Client
from masthead.testing.accounts import Accounts
from tests.authorisation.conftest import sample

pytestmark = [pytest.mark.exhaustive, pytest.mark.usefixtures("seeded")]

TEXTS = [" ", "-1", "+1", "1e5", "0x1", "1_0", "١٢", "²", "NaN", "9" * 20, "1" + "0" * 400]
TEXTS += ["9" * 5_000]
"""Texts that some parser takes for a number, or that are a number beyond every type."""
TOKENS = ["-1", "1e5", "1e308", "1e400", str(2**63), "1" + "0" * 99, "1" + "0" * 400]
"""Numbers as JSON writes them."""
HEADERS = [
    "Accept",
    "Accept-Charset",
    "Accept-Encoding",
    "Accept-Language",
    "Cache-Control",
    "Cookie",
    "Date",
    "If-Match",
    "If-Modified-Since",
    "If-None-Match",
    "If-Range",
    "If-Unmodified-Since",
    "Max-Forwards",
    "Range",
    "Retry-After",
    "X-Forwarded-For",
    "X-Forwarded-Port",
    "X-Http-Method-Override",
    "X-Unknown",
]
FORMS = ["{}", "bytes={}-", "bytes=-{}", "bytes=0-{}", "bytes={0}-{0}", '"{}"', 'W/"{}"', "a={}"]
FORMS += ["Bearer {}", "text/html;q={}", "multipart/form-data; boundary={}"]

PER_PLACE = int(os.environ.get("MASTHEAD_TEST_NUMBERS", "3"))
"""How many of the numbers each parameter and field gets, by turns."""

Send = Callable[..., Any]


@pytest.fixture
def send(app: Client, instance: Instance, make_user: Callable[..., User]) -> Send:
    """Send a request as an administrator; each endpoint has one of its own, which it may change."""
    accounts = Accounts(instance)
    callers: dict[str, str] = {}

    def ask(
        endpoint: Endpoint,
        path: str | None = None,
        query: str = "",
        body: bytes | None = None,
        **headers: str,
    ) -> Any:
        if endpoint.name not in callers:
            callers[endpoint.name] = accounts.token(make_user(role="admin"))
        address = path or filled(endpoint, "1")
        sent = {"Authorization": f"Bearer {callers[endpoint.name]}", **headers}
        if body is not None:
            sent.setdefault("Content-Type", "application/json")
        return app.request(
            address + query,
            method=endpoint.method,
            headers={name: value.encode().decode("latin-1") for name, value in sent.items()},
            body=body or b"",
            status="*",
        )

    return ask


def filled(endpoint: Endpoint, text: str) -> str:
    """Return the path of an endpoint with a text for each placeholder."""
    return PLACEHOLDER.sub(lambda _: quote(text, safe=""), endpoint.path)


def test_in_paths(send: Send, endpoints: Sequence[Endpoint]) -> None:
    for endpoint in endpoints:
        if "{" in endpoint.path:
            for text in TEXTS:
                send(endpoint, filled(endpoint, text))


def test_in_queries(send: Send, endpoints: Sequence[Endpoint]) -> None:
    for endpoint in endpoints:
        names = [node.name for node in endpoint.parameters.children]
        for name in [*names, "unknown"]:
            for text in some(TEXTS):
                send(endpoint, query=f"?{name}={quote(text)}")


def test_in_bodies(send: Send, endpoints: Sequence[Endpoint]) -> None:
    tokens = [*TOKENS, *(json.dumps(text) for text in (" ", "+1", "١٢", "9" * 5_000))]
    for endpoint in endpoints:
        if endpoint.body is not None and endpoint.upload is None:
            for body in bodies(Object(endpoint.body), tokens):
                send(endpoint, body=body)


def bodies(kind: FieldType, tokens: Sequence[str]) -> Iterator[bytes]:
    """Yield valid bodies in which one value, at any depth, is replaced by each of the tokens."""
    mark = "a value to replace"
    for marked in variants(kind, mark):
        text = json.dumps(marked)
        for token in some(tokens):
            yield text.replace(json.dumps(mark), token).encode()


_turns = count()


def some(numbers: Sequence[str]) -> Iterator[str]:
    """Yield the numbers that the next place gets."""
    first = next(_turns) * PER_PLACE % len(numbers)
    return islice(cycle(numbers), first, first + min(PER_PLACE, len(numbers)))


def variants(kind: FieldType, mark: str) -> Iterator[Any]:
    """Yield valid values of a type in which one part is replaced by a mark."""
    yield mark
    if isinstance(kind, Nullable):
        yield from variants(kind.inner, mark)
    elif isinstance(kind, ListOf):
        for inner in variants(kind.inner, mark):
            yield [inner]
    elif isinstance(kind, Object):
        for node in kind.node.children:
            for inner in variants(node.typ, mark):
                yield {**sample(kind), node.name: inner}


def test_in_headers(send: Send, endpoints: Sequence[Endpoint]) -> None:
    # Headers are read before the endpoint, except those of images, revisions and uploads.
    kinds = {
        (e.method, e.permission == "public", e.cacheable, bool(e.upload)): e for e in endpoints
    }
    chosen = {e.name: e for e in [*kinds.values(), *(e for e in endpoints if "image" in e.path)]}
    for endpoint in chosen.values():
        for form, text in ((form, text) for form in FORMS for text in some(TEXTS)):
            value = form.format(text)
            for names in ([*HEADERS], ["Authorization"], ["Content-Type"]):
                send(endpoint, **dict.fromkeys(names, value))


def test_in_forms(send: Send, endpoints: Sequence[Endpoint]) -> None:
    for endpoint in endpoints:
        if endpoint.upload is None:
            continue
        names = [node.name for node in endpoint.body.children] if endpoint.body else []
        for name in [*names, "unknown"]:
            for text in TEXTS:
                parts = {name: (None, text), endpoint.upload.name: ("a.csv", f"email\n{text}\n")}
                send(endpoint, body=form(parts), **{"Content-Type": FORM})


FORM = "multipart/form-data; boundary=edge"


def form(parts: dict[str, tuple[str | None, str]]) -> bytes:
    """Return the body of a form."""
    lines = []
    for name, (filename, text) in parts.items():
        file = f'; filename="{filename}"' if filename else ""
        lines += ["--edge", f'Content-Disposition: form-data; name="{name}"{file}', "", text]
    return "\r\n".join([*lines, "--edge--", ""]).encode()


def test_in_cells_of_csv_files(send: Send, endpoints: Sequence[Endpoint]) -> None:
    columns = ["email", "name", "firstName", "lastName", "status", "tags", "notes", "phone", "id"]
    columns += ["createdAt", "source", "unsubscribedAt"]
    importing = [e for e in endpoints if e.upload and "text/csv" in e.upload.accepts]
    assert len(importing) >= 2
    for endpoint, text, column in product(importing, TEXTS, columns):
        cells = {"email": "ada@example.org", column: text}
        content = ";".join(cells) + "\n" + ";".join(cells.values()) + "\n"
        send(endpoint, body=form({"file": ("a.csv", content)}), **{"Content-Type": FORM})
