"""Pages of lists: ``limit``, ``offset``, ``Link`` (RFC 8288) and ``X-Total-Count``."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import colander

from masthead.errors import Invalid
from masthead.schemas.field_types import MAX_ID, Int
from masthead.schemas.schema import optional, schema

MAX_LIMIT = 500
MOST_ROWS = 10_000
MAX_TOTALS = 10_000


@dataclass(frozen=True)
class Page:
    """A part of a list and the number of all its items."""

    items: Any
    """What the answer's body shows: items, or JSON bytes that are ready."""
    total: int


@dataclass(frozen=True)
class Window:
    """Which part of a list is asked for."""

    limit: int
    offset: int


class Totals:
    """Counts of rows that hold as long as no content changes, as a large count takes its time."""

    def __init__(self) -> None:
        self._known: dict[Hashable, int] = {}

    def get(self, counted: Hashable, count: Callable[[], int]) -> int:
        """The number of what ``counted`` names, by ``count`` where it isn't known yet."""
        total = self._known.get(counted)
        if total is None:
            total = count()
            # Anybody can ask for what nobody has asked for before; that it isn't there is found
            # out at once, and isn't worth remembering.
            if total and len(self._known) < MAX_TOTALS:
                self._known[counted] = total
        return total


class _Limit(Int):
    """A limit may be of any size: it means the most that is given anyway."""

    def read(self, text: str) -> int | str:
        return MAX_LIMIT if re.fullmatch(r"[1-9][0-9]{3,}", text) else super().read(text)


def paging_fields() -> list[colander.SchemaNode]:
    """The query parameters of every list."""
    fields = {
        "limit": optional(_Limit(1), nullable=False),
        "offset": optional(Int(0), nullable=False),
    }
    return list(schema(fields).children)


def read_window(query: Mapping[str, Any], default_limit: int) -> Window:
    """The part of a list that a checked query asks for; a larger ``limit`` than 500 means 500."""
    limit = min(query["limit"], MAX_LIMIT) if "limit" in query else default_limit
    offset = query.get("offset", 0)
    if offset > MAX_ID - MOST_ROWS:
        raise Invalid("offset: Too large")
    return Window(limit, offset)


def page_headers(
    url: str, query: Mapping[str, Any], window: Window, total: int
) -> list[tuple[str, str]]:
    """``X-Total-Count``, and ``Link`` where there is a page before or after this one.

    :param url: the list's absolute address without a query.
    :param query: the query parameters that the list knows, as they were sent.
    """
    links = []
    if window.offset + window.limit < total:
        links.append(("next", window.offset + window.limit))
    if window.offset > 0:
        links.append(("prev", max(0, window.offset - window.limit)))
    headers = [("X-Total-Count", str(total))]
    if links:
        headers.append(
            (
                "Link",
                ", ".join(
                    f'<{url}?{urlencode({**query, "offset": offset})}>; rel="{rel}"'
                    for rel, offset in links
                ),
            )
        )
    return headers
