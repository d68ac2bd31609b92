"""The server's look at a request before the router: pool and body limit by method and address."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from masthead.http.endpoints import PLACEHOLDER, Endpoint
from masthead.http.environ import Handling
from masthead.http.ingress import MAX_PATH
from masthead.http.routes import NO_BODY, max_body
from masthead.settings import Settings

_READING = ("GET", "HEAD", "OPTIONS")


class _Node:
    """The endpoints with a common beginning of their paths, in a tree with a level per segment."""

    def __init__(self) -> None:
        self.fixed: dict[str, _Node] = {}
        self.patterns: dict[tuple[str, str], _Node] = {}
        """The nodes of segments with a placeholder, by the text before and after it."""
        self.endpoints: dict[str, Endpoint] = {}
        """By method."""


class Handlings:
    """Finds the handling of requests; the time of a search is linear in the length of the path.

    The server calls it in its main thread, so it reads nothing but memory.
    """

    def __init__(self, endpoints: Iterable[Endpoint], settings: Settings) -> None:
        self._root = _Node()
        self._settings = settings
        for endpoint in endpoints:
            _add(self._root, endpoint)

    def __call__(self, method: str, path: str, query: str) -> Handling:
        """Return the handling of a request; that of unknown addresses follows from the method."""
        if len(path) <= MAX_PATH:
            wanted = "GET" if method == "HEAD" else method
            for node in _find(self._root, path.split("/")):
                if (endpoint := node.endpoints.get(wanted)) is not None:
                    pool = endpoint.query_pool if query else None
                    limit = max_body(endpoint, self._settings)
                    return Handling(pool or endpoint.thread_pool, limit)
        return Handling("reads" if method in _READING else "writes", NO_BODY)


def _add(node: _Node, endpoint: Endpoint) -> None:
    for segment in endpoint.path.split("/"):
        before, *_, after = PLACEHOLDER.split(segment) if "{" in segment else (segment, "")
        if "{" in segment:
            node = node.patterns.setdefault((before, after), _Node())
        else:
            node = node.fixed.setdefault(segment, _Node())
    node.endpoints[endpoint.method] = endpoint


def _find(node: _Node, segments: list[str]) -> Iterator[_Node]:
    """Yield the nodes that match all segments, those of fixed ones first."""
    if not segments:
        yield node
        return
    segment, rest = segments[0], segments[1:]
    if segment in node.fixed:
        yield from _find(node.fixed[segment], rest)
    for (before, after), child in node.patterns.items():
        if segment.startswith(before) and segment.endswith(after):
            yield from _find(child, rest)
