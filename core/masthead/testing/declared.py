"""Coverage of declarations: the statuses and response fields that a test run has received."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from tempfile import TemporaryDirectory
from typing import Any

from masthead.http.endpoints import Endpoint
from masthead.instance import DATA, open_instance
from masthead.resources.crud import SAVED
from masthead.web.openapi.answers import answer_schema

Schema = dict[str, Any]


class Received:
    """The received statuses and fields, as texts that test workers can send to each other.

    A field counts as received if its value was not null. The fields of an object that has a name
    count for all endpoints that answer with such objects.
    """

    def __init__(self) -> None:
        self.facts: set[str] = set()
        self._schemas: dict[tuple[str, str], Schema | None] = {}

    def note(self, endpoint: Endpoint, status: int, body: Any) -> None:
        """Record a response.

        :param body: the parsed JSON; None if there is none.
        """
        self.facts.add(_status_fact(endpoint, status))
        if status == 200 and body is not None:
            # Tests declare types with the names of others, whose labels differ.
            key = endpoint.name, endpoint.summary
            if key not in self._schemas:
                self._schemas[key] = answer_schema(endpoint)
            if schema := self._schemas[key]:
                self.facts.update(_shown(body, schema, _Path(endpoint.name)))


def declared(endpoints: Iterable[Endpoint]) -> set[str]:
    """Return all facts that a complete test run records."""
    facts: set[str] = set()
    for endpoint in endpoints:
        facts.update(_status_fact(endpoint, status) for status in endpoint.statuses)
        if schema := answer_schema(endpoint):
            facts.update(_fields(schema, _Path(endpoint.name)))
    return facts


def missing(patterns: Sequence[str], facts: set[str]) -> list[str]:
    """Return the declared facts of the installed plugins that no test has received.

    :param patterns: patterns of endpoint names, such as ``podcasts.*``; empty means all endpoints.
    """
    with TemporaryDirectory() as folder:
        instance = open_instance({DATA.name: folder}, environ={})
        try:
            endpoints = instance.endpoints
        finally:
            instance.close()
    wanted = [
        endpoint
        for endpoint in endpoints
        if not patterns or any(fnmatchcase(endpoint.name, pattern) for pattern in patterns)
    ]
    return sorted(declared(wanted) - facts)


def _status_fact(endpoint: Endpoint, status: int) -> str:
    return f"{endpoint.name} answers {status}"


@dataclass(frozen=True)
class _Path:
    """The place of a value, below an object with a name or the answer of an endpoint."""

    owner: str
    fields: tuple[str, ...] = ()

    def within(self, schema: Schema) -> _Path:
        """Return the place of the fields of an object; the answer to a change has the item's."""
        return _Path(schema["title"].removesuffix(SAVED)) if "title" in schema else self

    def of(self, field: str) -> _Path:
        """Return the place of a field of the object."""
        return _Path(self.owner, (*self.fields, field))

    @property
    def fact(self) -> str:
        return f"{self.owner} shows {'.'.join(self.fields)}"


def _fields(schema: Schema, path: _Path) -> Iterator[str]:
    """Yield the fields that a JSON Schema declares; arrays add nothing to a path."""
    for each in _objects(schema):
        inner = path.within(each)
        for name, field in each["properties"].items():
            yield inner.of(name).fact
            yield from _fields(field, inner.of(name))


def _shown(value: Any, schema: Schema, path: _Path) -> Iterator[str]:
    """Yield the declared fields of a value that aren't null."""
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, list):
            yield from _shown(item, schema, path)
        if not isinstance(item, dict):
            continue
        for each in _objects(schema):
            inner = path.within(each)
            for name in item.keys() & each["properties"].keys():
                if item[name] is not None:
                    yield inner.of(name).fact
                    yield from _shown(item[name], each["properties"][name], inner.of(name))


def _objects(schema: Schema) -> Iterator[Schema]:
    """Yield the schemas of objects that a value can have, or its items if it is an array."""
    if "properties" in schema:
        yield schema
    inner = (schema.get("items"), *schema.get("anyOf", ()), *schema.get("allOf", ()))
    for each in filter(None, inner):
        yield from _objects(each)
