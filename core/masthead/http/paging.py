"""Pages of lists: ``limit``, ``offset``, ``Link`` (RFC 8288) and ``X-Total-Count``."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import urlencode

import colander

from masthead.db.read_tables import Tables, note_reads, noted_reads
from masthead.http.ingress import MAX_QUERY
from masthead.schemas.field_types import MAX_ID, Int, Str
from masthead.schemas.schema import optional, schema

MAX_LIMIT = 500
MOST_ROWS = 10_000
MAX_TOTALS = 10_000


@dataclass(frozen=True)
class Page:
    """A part of a list, and the total number of items."""

    items: Any
    """The items of the response body, or JSON bytes."""
    total: int


@dataclass(frozen=True)
class Window:
    """The requested part of a list."""

    limit: int
    offset: int

    def from_end(self, total: int) -> Window:
        """Return the window of the same items of a list in reverse order.

        :param total: the number of items of the list, larger than the offset.
        """
        end = min(self.offset + self.limit, total)
        return Window(end - self.offset, total - end)


class _Total(NamedTuple):
    rows: int
    tables: Tables
    mark: object


class Totals:
    """A cache of row counts, because counting is slow.

    :param mark: returns a value for tables that differs whenever one of them has changed.
    :param known: the counts so far.
    """

    def __init__(
        self,
        mark: Callable[[Tables], object] = lambda _tables: None,
        known: dict[Hashable, _Total] | None = None,
    ) -> None:
        self._mark = mark
        self._known = {} if known is None else known

    def get(self, counted: Hashable, count: Callable[[], int]) -> int:
        """Return the cached count for the key ``counted``; call ``count`` if there is none."""
        total = self._known.get(counted)
        if total is not None and total.mark == self._mark(total.tables):
            note_reads(total.tables)
            return total.rows
        with noted_reads() as reads:
            rows = count()
        # Clients can invent any number of keys. Those that match nothing are cheap to count and
        # aren't cached.
        if rows:
            if len(self._known) >= MAX_TOTALS:
                self._known.clear()
            self._known[counted] = _Total(rows, reads.tables, self._mark(reads.tables))
        return rows


TEXT_FILTER = Str(MAX_QUERY, min_length=0)
"""The type of a filter by text: any text, as an unknown one finds nothing."""


class _Offset(Int):
    """The number of items to skip."""

    skips_blank = False

    def __init__(self) -> None:
        super().__init__(0, MAX_ID - MOST_ROWS)

    def schema(self) -> dict[str, Any]:
        return {**super().schema(), "default": 0}


class _Limit(Int):
    """A limit of any size; a larger one than the maximum means the maximum."""

    skips_blank = False

    def read(self, text: str) -> int | str:
        return MAX_LIMIT if re.fullmatch(r"[1-9][0-9]{3,}", text) else super().read(text)

    def schema(self) -> dict[str, Any]:
        return {"type": "integer", "minimum": self.minimum, "maximum": MAX_LIMIT}


def paging_fields() -> list[colander.SchemaNode]:
    """Return the query parameters of every list."""
    fields = {
        "limit": optional(
            _Limit(1),
            nullable=False,
            help=f"The number of items in the answer; more than {MAX_LIMIT} count as {MAX_LIMIT}."
            f" Lists without a default answer all items, up to {MOST_ROWS:,}.",
        ),
        "offset": optional(_Offset(), nullable=False, help="The number of items to skip."),
    }
    return list(schema(fields).children)


def read_window(query: Mapping[str, Any], default_limit: int) -> Window:
    """Return the part of a list that a checked query requests; a ``limit`` above 500 means 500."""
    limit = min(query["limit"], MAX_LIMIT) if "limit" in query else default_limit
    return Window(limit, query.get("offset", 0))


def page_headers(
    url: str, query: Mapping[str, Any], window: Window, total: int
) -> list[tuple[str, str]]:
    """Return ``X-Total-Count``, and ``Link`` if there is a previous or next page.

    :param url: the absolute address of the list without a query.
    :param query: the query parameters that the list accepts, as they were sent.
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
