"""The values that operations return: objects with an ``ETag``, and lists of many pages."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator, Mapping
from typing import Any, Generic, TypeVar

T = TypeVar("T")

Revision = str | Mapping[str, Any]
"""The revision that a change is based on: an ``ETag``, or an answer with one."""


class Item(dict[str, Any]):
    """A JSON object with the ``ETag`` of its answer."""

    etag: str | None = None


class ResultList(list[T]):
    """The items on one page of a list."""

    total: int | None = None
    """The number of items on all pages."""
    etag: str | None = None
    next_query: str | None = None
    """The query of the next page; None on the last one."""


class Results(ResultList[T]):
    """The items on one page of a list, with the way to the others."""

    def __init__(self, fetch: Callable[[Any], ResultList[T]], query: Any = None) -> None:
        """Load the page by a function that returns that of a query."""
        page = fetch(query)
        super().__init__(page)
        self.total, self.etag, self.next_query = page.total, page.etag, page.next_query
        self._fetch = fetch

    def all(self) -> Iterator[T]:
        """Yield the items of this page and of later ones, which are loaded when needed."""
        page: ResultList[T] = self
        yield from page
        while page.next_query is not None:
            page = self._fetch(page.next_query)
            yield from page


class AsyncResults(Generic[T]):
    """A list that is not loaded yet: await it for one page, or iterate over ``all()``."""

    def __init__(self, fetch: Callable[[Any], Awaitable[ResultList[T]]], query: Any = None) -> None:
        """Keep the function that returns the page of a query."""
        self._fetch = fetch
        self._query = query

    def __await__(self) -> Generator[Any, None, ResultList[T]]:
        return self._fetch(self._query).__await__()

    async def all(self) -> AsyncIterator[T]:
        """Yield the items of this page and of later ones, which are loaded when needed."""
        page = await self
        for item in page:
            yield item
        while page.next_query is not None:
            page = await self._fetch(page.next_query)
            for item in page:
                yield item


def etag_of(answer: object) -> str | None:
    """Return the ``ETag`` of the answer of an operation; None if it has none."""
    return getattr(answer, "etag", None)


def revision(given: Revision) -> str:
    """Return the value of ``If-Match`` for an ``ETag`` or an answer."""
    etag = given if isinstance(given, str) else etag_of(given)
    if not etag:
        raise ValueError("if_match has no ETag: give that of an answer, or the answer itself")
    return etag
