"""Any value in any field: never a server error, and nothing is saved partly."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import colander
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import MetaData, Table, select

from masthead import User
from masthead.http.endpoints import Endpoint
from masthead.http.permissions import PUBLIC, SIGNED_IN
from masthead.instance import Instance
from masthead.schemas.field_types import Bool, Choice, Email, FieldType, Int, Timestamp, Url
from masthead.schemas.schema import ListOf, Nullable, Object
from masthead.testing import Client

WEIRD = st.sampled_from(
    ["", " ", "\u3000", "\t\n", "\x00", "a\x1fb", "\x7f", "\x85", "\u2028", "\ufeff", "\ufffe",
     "\U0010ffff", "e\u0301" * 300, "x" * 2_100, "<p>" * 300, "<script>alert(1)</script>",
     "'; DROP TABLE x; --", "%s%n{0}{{name}}", "../../etc/passwd", "//host", "/\\host",
     "javascript:alert(1)", "a@b.test", "2026-02-30", "9999-12-31T23:59:59-14:00", "2026-01-01",
     "0001-01-01T00:00:00+14:00", "١٢٣", "null", "İstanbul ǅ ß ﷺ", "\u202e\u200b", "🇩🇪👨"]
)  # fmt: skip
NUMBERS = st.sampled_from(
    [0, 1, -1, 2**31, 2**63 - 1, 2**63, -(2**63), -(2**63) - 1, 10**99, 0.5, -0.0, 1e308, 5e-324]
)
TEXT = st.text(st.characters(codec="utf-8"), max_size=20)
LEAF = st.none() | st.booleans() | NUMBERS | st.integers() | WEIRD | TEXT
JSON = LEAF | st.lists(LEAF, max_size=3) | st.dictionaries(TEXT | WEIRD, LEAF, max_size=3)

WRONG_PASSWORD = "Current password is incorrect"


class Bodies:
    """Sends bodies to endpoints, and checks the answers and tables."""

    def __init__(self, instance: Instance, client: Client) -> None:
        self._instance = instance
        self._client = client
        self.endpoints = [e for e in instance.endpoints if e.body is not None]

    def fields(self) -> list[tuple[Endpoint, colander.SchemaNode]]:
        """Return every field of every endpoint's body."""
        return [(endpoint, field) for endpoint in self.endpoints for field in fields_of(endpoint)]

    def usual(self, endpoint: Endpoint) -> dict[str, Any]:
        """Return a body with all required fields."""
        # A letter needs HTML or MJML, so that neither is required.
        return {
            field.name: sample(field.typ)
            for field in fields_of(endpoint)
            if field.required or field.name == "html_content"
        }

    def send(self, endpoint: Endpoint, body: Mapping[str, Any]) -> Any:
        """Send a body; raise for server errors and undeclared answers."""
        address = re.sub(r"\{[^}]*\}", "1", endpoint.path)
        before = self._rows()
        answer = self._client.request(
            address, method=endpoint.method, body=json.dumps(body).encode(), status="*"
        )
        assert answer.status_int < 500, (endpoint.name, body, answer.text)
        # The count of failed logins is stored in spite of the 401.
        if answer.status_int in (400, 403, 404, 412):
            assert {"error"} <= set(answer.json) <= {"error", "fields"}, (endpoint.name, body)
            after = self._rows()
            if answer.json["error"] == WRONG_PASSWORD:
                # A wrong current password is recorded like a failed login.
                before["core_audit"] = after["core_audit"]
            assert after == before, (endpoint.name, body, answer.text)
        return answer

    def _rows(self) -> dict[str, list[Any]]:
        with self._instance.database.read() as connection:
            return {
                table.fullname: [tuple(row) for row in connection.execute(ordered(table))]
                for table in tables(self._instance)
            }


def fields_of(endpoint: Endpoint) -> list[colander.SchemaNode]:
    """Return the fields of an endpoint's body."""
    return list(endpoint.body.children) if endpoint.body is not None else []


def tables(instance: Instance) -> Iterator[Table]:
    metadatas: list[MetaData] = [p.metadata for p in instance.plugins if p.metadata is not None]
    for metadata in metadatas:
        yield from metadata.sorted_tables


def ordered(table: Table) -> Any:
    return select(table).order_by(*(table.primary_key.columns or table.columns))


SAMPLES: Mapping[type[FieldType], Callable[[Any], Any]] = {
    Nullable: lambda kind: sample(kind.inner),
    Choice: lambda kind: kind.options[0],
    Int: lambda kind: max(kind.minimum, 1),
    Bool: lambda _: True,
    ListOf: lambda _: [],
    Object: lambda kind: {field.name: sample(field.typ) for field in kind.node if field.required},
    Timestamp: lambda _: "2026-03-01T09:30:00.000Z",
    Email: lambda _: "someone@example.test",
    Url: lambda _: "/images/x.png",
}
LIKELY: Mapping[type[FieldType], Callable[[Any], st.SearchStrategy[Any]]] = {
    Nullable: lambda kind: st.none() | likely(kind.inner),
    Choice: lambda kind: st.sampled_from(kind.options),
    Int: lambda kind: st.integers(kind.minimum, kind.maximum),
    Bool: lambda _: st.booleans() | st.sampled_from([0, 1]),
    ListOf: lambda kind: st.lists(likely(kind.inner), max_size=3),
    Timestamp: lambda _: st.datetimes().map(lambda moment: moment.isoformat() + "-14:00"),
}


def sample(kind: FieldType) -> Any:
    """Return a valid value of a type."""
    if type(kind) in SAMPLES:
        return SAMPLES[type(kind)](kind)
    return "correct horse"


def likely(kind: FieldType) -> st.SearchStrategy[Any]:
    """Return a strategy for values of a type, odd ones too."""
    return LIKELY[type(kind)](kind) if type(kind) in LIKELY else WEIRD | TEXT


@pytest.fixture
def bodies(app: Client, instance: Instance, make_user: Callable[..., User]) -> Bodies:
    """Return bodies sent by an administrator, to an instance with items of the id 1."""
    make_user("first", role="editor")
    made = Bodies(instance, app.as_role("admin"))
    for endpoint in made.endpoints:
        if endpoint.method == "POST" and endpoint.permission not in (PUBLIC, SIGNED_IN):
            made.send(endpoint, made.usual(endpoint))
    return made


def bounded(examples: int) -> settings:
    """Limit the examples to the time of a default run, and repeat the same ones."""
    return settings(
        derandomize=True,
        max_examples=examples,
        database=None,
    )


@pytest.mark.exhaustive
@bounded(120)
@given(data=st.data())
def test_any_json_value_in_any_field_is_stored_or_refused_as_a_whole(
    bodies: Bodies, data: st.DataObject
) -> None:
    endpoint, field = data.draw(st.sampled_from(bodies.fields()))
    body = {**bodies.usual(endpoint), field.name: data.draw(JSON | likely(field.typ))}

    bodies.send(endpoint, body)


@bounded(30)
@given(data=st.data())
def test_any_body_is_stored_or_refused_as_a_whole(bodies: Bodies, data: st.DataObject) -> None:
    endpoint = data.draw(st.sampled_from(bodies.endpoints))
    names = st.sampled_from([field.name for field in fields_of(endpoint)]) | TEXT

    bodies.send(endpoint, data.draw(st.dictionaries(names, JSON, max_size=6)))
