"""Which of the declared statuses and answer fields a test run has received."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from tempfile import TemporaryDirectory
from typing import Any

from masthead.http.endpoints import Endpoint
from masthead.instance import DATA, open_instance
from masthead.web.openapi import answer_schema


class Received:
    """What the answers of a test run have shown; each fact is a text, so that workers can send it.

    A field counts when it was received with another value than null.
    """

    def __init__(self) -> None:
        self.facts: set[str] = set()
        self._fields: dict[str, frozenset[str]] = {}

    def note(self, endpoint: Endpoint, status: int, body: Any) -> None:
        """Take note of an answer.

        :param body: the parsed JSON; None where there is none.
        """
        self.facts.add(_status_fact(endpoint, status))
        if status == 200 and body is not None:
            if endpoint.name not in self._fields:
                self._fields[endpoint.name] = frozenset(_declared_fields(answer_schema(endpoint)))
            shown = self._fields[endpoint.name].intersection(_shown_fields(body))
            self.facts.update(_field_fact(endpoint, field) for field in shown)


def declared(endpoints: Iterable[Endpoint]) -> set[str]:
    """Every fact that a complete test run notes."""
    facts: set[str] = set()
    for endpoint in endpoints:
        facts.update(_status_fact(endpoint, status) for status in endpoint.statuses)
        fields = _declared_fields(answer_schema(endpoint))
        facts.update(_field_fact(endpoint, field) for field in fields)
    return facts


def missing(patterns: Sequence[str], facts: set[str]) -> list[str]:
    """What the endpoints of the installed plugins declare and no test has received.

    :param patterns: leave only the endpoints with such names, ``podcasts.*``; none means all.
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
    """The fields that another operation with an equal answer has shown.

    What is created can't have been rejected yet, but is answered in the form of what can.
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
    """The fields in a JSON Schema as ``tags.name``; arrays add nothing to a field's path."""
    if schema is None:
        return
    for name, field in schema.get("properties", {}).items():
        yield f"{path}{name}"
        yield from _declared_fields(field, f"{path}{name}.")
    for inner in (schema.get("items"), *schema.get("anyOf", ())):
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
