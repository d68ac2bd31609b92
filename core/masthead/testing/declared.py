"""Coverage of declarations: the statuses and response fields that a test run has received."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from tempfile import TemporaryDirectory
from typing import Any

from masthead.http.endpoints import Endpoint
from masthead.instance import DATA, open_instance
from masthead.web.openapi.answers import answer_schema


class Received:
    """The received statuses and fields, as texts that test workers can send to each other.

    A field counts as received if its value was not null.
    """

    def __init__(self) -> None:
        self.facts: set[str] = set()
        self._fields: dict[str, frozenset[str]] = {}

    def note(self, endpoint: Endpoint, status: int, body: Any) -> None:
        """Record a response.

        :param body: the parsed JSON; None if there is none.
        """
        self.facts.add(_status_fact(endpoint, status))
        if status == 200 and body is not None:
            if endpoint.name not in self._fields:
                self._fields[endpoint.name] = frozenset(_declared_fields(answer_schema(endpoint)))
            shown = self._fields[endpoint.name].intersection(_shown_fields(body))
            self.facts.update(_field_fact(endpoint, field) for field in shown)


def declared(endpoints: Iterable[Endpoint]) -> set[str]:
    """Return all facts that a complete test run records."""
    facts: set[str] = set()
    for endpoint in endpoints:
        facts.update(_status_fact(endpoint, status) for status in endpoint.statuses)
        fields = _declared_fields(answer_schema(endpoint))
        facts.update(_field_fact(endpoint, field) for field in fields)
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
    return sorted(declared(wanted) - facts - _shown_by_others(endpoints, facts))


def _shown_by_others(endpoints: Iterable[Endpoint], facts: set[str]) -> set[str]:
    """Return the fields that were received from another operation with the same response schema.

    For example, a new item can't be rejected, but its schema has the fields of rejected items.
    """
    shared: dict[str, list[Endpoint]] = {}
    for endpoint in endpoints:
        shared.setdefault(repr(answer_schema(endpoint)), []).append(endpoint)
    return {
        _field_fact(other, field)
        for group in shared.values()
        for endpoint in group
        for field in _declared_fields(answer_schema(endpoint))
        if _field_fact(endpoint, field) in facts
        for other in group
    }


def _status_fact(endpoint: Endpoint, status: int) -> str:
    return f"{endpoint.name} answers {status}"


def _field_fact(endpoint: Endpoint, field: str) -> str:
    return f"{endpoint.name} shows {field}"


def _declared_fields(schema: dict[str, Any] | None, path: str = "") -> Iterator[str]:
    """Yield the fields of a JSON Schema as ``tags.name``; arrays add nothing to the path."""
    if schema is None:
        return
    for name, field in schema.get("properties", {}).items():
        yield f"{path}{name}"
        yield from _declared_fields(field, f"{path}{name}.")
    for inner in (schema.get("items"), *schema.get("anyOf", ()), *schema.get("allOf", ())):
        yield from _declared_fields(inner, path)


def _shown_fields(value: Any, path: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for name, field in value.items():
            if field is not None:
                yield f"{path}{name}"
                yield from _shown_fields(field, f"{path}{name}.")
    elif isinstance(value, list):
        for each in value:
            yield from _shown_fields(each, path)
