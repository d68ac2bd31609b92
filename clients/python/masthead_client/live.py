"""Live events: reading of server-sent events, and the pauses between two connections."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from masthead_client.retries import Retry

TIMEOUT = 60.0
"""The seconds without a byte after which a connection is lost; the server sends some every 15."""


@dataclass(frozen=True)
class LiveEvent:
    """An event of the server."""

    event: str
    """The kind: ``notifications``, ``changed`` or ``presence``."""
    data: dict[str, Any]
    """The values, as docs/rest-api.md describes them."""
    id: str | None = None
    """The id with which a later stream continues."""


class Feed:
    """The events of one stream over all its connections."""

    def __init__(self, retry: Retry, query: Mapping[str, Any]) -> None:
        self.query = dict(query)
        """The query of the next connection, which continues after the last event."""
        self.pause = 5.0
        """The seconds before the next connection after the server has ended one."""
        self._retry = retry
        self._failures = 0
        self._rest = ""

    def connected(self) -> None:
        """Begin with the events of a new connection."""
        self._failures = 0
        self._rest = ""

    def read(self, text: str) -> Iterator[LiveEvent]:
        """Yield the events that a further part of the answer completes."""
        # A carriage return at the end may be the first half of a line's end.
        *events, self._rest = (self._rest + text).replace("\r\n", "\n").split("\n\n")
        for event in events:
            yield from self._event(event.split("\n"))

    def _event(self, lines: list[str]) -> Iterator[LiveEvent]:
        pairs = [line.partition(":") for line in lines]
        values = {name: value.removeprefix(" ") for name, _, value in pairs if name}
        if values.get("retry", "").isdigit():
            self.pause = int(values["retry"]) / 1000
        if "id" in values:
            self.query["lastEventId"] = values["id"]
        data = "\n".join(value.removeprefix(" ") for name, _, value in pairs if name == "data")
        if data:
            yield LiveEvent(values.get("event", "message"), json.loads(data), values.get("id"))

    def failed(self, error: Exception) -> float:
        """Return the seconds until the next attempt after a failure; raise it after too many."""
        self._failures += 1
        if self._failures >= self._retry.attempts:
            raise error
        return self._retry.pause(self._failures)
