"""Stored answers, which are not sent again while their ``ETag`` holds."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass

import httpx


@dataclass(frozen=True)
class Answer:
    """The parts of a successful answer that its reader needs."""

    content: bytes
    etag: str | None
    total: int | None
    """The number of items on all pages of a list."""
    next_query: str | None
    """The query of the next page of a list."""

    @classmethod
    def of(cls, response: httpx.Response) -> Answer:
        """Return the answer in a response whose content is read."""
        total = response.headers.get("X-Total-Count", "")
        following = response.links.get("next", {}).get("url")
        return cls(
            response.content,
            response.headers.get("ETag"),
            int(total) if total.isdigit() else None,
            httpx.URL(following).query.decode() if following else None,
        )


class Cache:
    """A store of answers, whose oldest unused ones are dropped if there are too many of them.

    Answers to requests with a token are stored only if ``private`` is true. Threads, and clients
    of several instances, can share a store.
    """

    def __init__(self, answers: int = 256, size: int = 16 << 20, *, private: bool = False) -> None:
        self.private = private
        self._answers = answers
        self._size = size
        self._stored: OrderedDict[tuple[str, str], Answer] = OrderedDict()
        self._used = 0
        self._lock = threading.Lock()

    def __len__(self) -> int:
        """Return the number of stored answers."""
        return len(self._stored)

    def get(self, request: httpx.Request) -> Answer | None:
        """Return the stored answer to a request."""
        if not self._takes(request):
            return None
        with self._lock:
            found = self._stored.get(_key(request))
            if found is not None:
                self._stored.move_to_end(_key(request))
            return found

    def put(self, request: httpx.Request, answer: Answer) -> None:
        """Store an answer, unless it has no ``ETag`` or is larger than the store."""
        if answer.etag is None or len(answer.content) > self._size or not self._takes(request):
            return
        with self._lock:
            self._forget(_key(request))
            self._stored[_key(request)] = answer
            self._used += len(answer.content)
            while len(self._stored) > self._answers or self._used > self._size:
                self._forget(next(iter(self._stored)))

    def clear(self) -> None:
        """Drop all answers."""
        with self._lock:
            self._stored.clear()
            self._used = 0

    def _takes(self, request: httpx.Request) -> bool:
        public = "Authorization" not in request.headers
        return request.method == "GET" and (public or self.private)

    def _forget(self, key: tuple[str, str]) -> None:
        if (former := self._stored.pop(key, None)) is not None:
            self._used -= len(former.content)


def _key(request: httpx.Request) -> tuple[str, str]:
    return str(request.url), request.headers.get("Authorization", "")
