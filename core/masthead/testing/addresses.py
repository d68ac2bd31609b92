"""Addresses of endpoints, with the values of some items."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any
from urllib.parse import quote, urlencode

from masthead.http.endpoints import PLACEHOLDER, Endpoint, is_id
from masthead.testing.samples import sample_of

Item = Mapping[str, Any]


def read_addresses(endpoints: Iterable[Endpoint], items: Sequence[Item] = ()) -> Iterator[str]:
    """Yield addresses of each ``GET`` endpoint: those of items, and one for each parameter.

    :param items: JSON objects, whose ids, slugs and other values stand for those that an endpoint
        takes.
    """
    for endpoint in endpoints:
        if endpoint.method == "GET":
            for path in paths_of(endpoint, items):
                yield path
                yield from (f"{path}?{query}" for query in _queries(endpoint, items))


def paths_of(endpoint: Endpoint, items: Sequence[Item]) -> Iterator[str]:
    """Yield the paths of an endpoint: one for each combination of the values of items."""
    names = PLACEHOLDER.findall(endpoint.path)
    for values in product(*(_values_of(name, items) for name in names)):
        yield endpoint.path.format_map(
            {name: quote(str(value), safe="") for name, value in zip(names, values, strict=True)}
        )


def _values_of(name: str, items: Sequence[Item]) -> list[Any]:
    """Return the values for a placeholder."""
    if is_id(name):
        return [item["id"] for item in items] or [1]
    return [value for item in items for value in _scalars(item, name, "slug", "id")] or ["some"]


def _queries(endpoint: Endpoint, items: Sequence[Item]) -> Iterator[str]:
    for node in endpoint.parameters:
        own = [value for item in items for value in _scalars(item, node.name, "title")]
        for value in dict.fromkeys(own or [sample_of(node.typ, 0)]):
            yield urlencode({node.name: value})


def _scalars(item: Item, *names: str) -> list[Any]:
    """Return the first of some values that the item has, if it is a text or a number."""
    found = (item[name] for name in names if name in item)
    return [value for value in list(found)[:1] if isinstance(value, str | int)]
