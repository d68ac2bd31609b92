"""The addresses of public endpoints, with values in their paths and queries."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any
from urllib.parse import urlencode

from masthead import Bool, Choice, Endpoint
from masthead.http.list_query import Names, Sort

CANARY = "qzhidden"
NUMBER = 7_070_707_070
"""The number in fields of hidden items."""
_ID, _TEXT = re.compile(r"{(?:\w+_)?id}"), re.compile(r"{\w+}")
ALONE = (
    *("include", "fields", "ids", "updatedSince", "sort", "html", "when", "from", "to", "types"),
    *("maker", "pieces", "fragile", "size", "soldFromFrom", "soldFromTo"),
)
"""Parameters that are asked one at a time, and all at once, because there are too many products."""


def paths_of(pattern: str, ids: Sequence[str], texts: Sequence[str]) -> Iterator[str]:
    """Return the paths of an endpoint, with ids and texts in its placeholders.

    Several placeholders for texts get the same one, because there are too many products.
    """
    ids = ids if _ID.search(pattern) else [""]
    texts = texts if _TEXT.search(_ID.sub("", pattern)) else [""]
    for item_id, text in itertools.product(ids, texts):
        yield _TEXT.sub(text, _ID.sub(item_id, pattern))


def queries_of(outlet: Endpoint) -> Iterator[str]:
    """Return the queries to ask an endpoint with, the first of which is blank."""
    known = {node.name: node.typ for node in outlet.parameters}
    choices: list[list[dict[str, str]]] = []
    alone = {name: list(_asked(name, kind)) for name, kind in known.items() if name in ALONE}
    for name, kind in known.items():
        if name not in ("limit", "offset", *ALONE):
            choices.append([{}, *({name: value} for value in _asked(name, kind))])
    if "limit" in known:
        choices.append([{}, {"limit": "1"}, {"limit": "500", "offset": "1"}])
    for parts in itertools.product(*choices):
        chosen = {name: value for part in parts for name, value in part.items()}
        yield f"?{urlencode(chosen)}" if chosen else ""
    if "limit" in known:
        yield from (f"?{urlencode({name: each})}" for name in alone for each in alone[name])
    if len(alone) > 1:
        every = {name: asked[-1] for name, asked in alone.items()}
        search = {"search": "text"} if "search" in known else {}
        yield f"?{urlencode(every | search)}"


def _asked(name: str, kind: Any) -> Iterable[str]:
    if isinstance(kind, Sort):
        return kind.options
    if isinstance(kind, Names):
        return (",".join(kind.options),)
    if isinstance(kind, Bool):
        return ("true", "false")
    if isinstance(kind, Choice):
        return kind.options
    # A prefix of a canary finds it, but isn't a canary itself where an answer repeats it.
    if name == "q":
        name = "search"
    return {
        "tag": ("water", "air"),
        # "text" finds hidden and visible content, and "air" is a tag of hidden content.
        "search": (CANARY[:-1], "shown", "text", "air"),
        "ids": (",".join(map(str, range(1, 200))),),
        "from": ("2026-01-01",),
        "to": ("2026-12-31",),
        "maker": ("shown text",),
        "pieces": (f"1,{NUMBER}", "1,2,3"),
        "soldFromFrom": ("2026-01-01",),
        "soldFromTo": ("2037-01-01",),
        "updatedSince": ("2026-03-01T12:00:00Z", "2026-01-01"),
    }.get(name, (CANARY[:-1], "1"))
