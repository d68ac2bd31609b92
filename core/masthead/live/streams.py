"""A stream of events to one client."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from masthead.auth.caller import Caller
from masthead.http.environ import Connection
from masthead.live.states import LiveEvent, State, Wanted

if TYPE_CHECKING:
    from masthead.live.hub import Hub

_Found = Mapping[str, tuple[LiveEvent, dict[str, Any], State]]


@dataclass(eq=False)
class Stream:
    """The events of one client, and the states that it knows."""

    wanted: Wanted
    caller: Caller
    """The caller at the request."""
    token: str
    """The login token; blank if the caller has another credential."""
    known: dict[str, State] = field(default_factory=dict)
    hub: Hub | None = None
    connection: Connection | None = None
    began: float = field(default_factory=time.monotonic)

    def opened(self, connection: Connection) -> None:
        """Begin to send events over a connection."""
        self.connection = connection
        if self.hub is not None:
            self.hub.add(self)

    def closed(self) -> None:
        """Stop, because the client has gone."""
        if self.hub is not None:
            self.hub.remove(self)

    def events(self, found: _Found) -> str:
        """Return the events for the states that have changed, and remember these.

        Only the last event has an id, so that a client that misses one gets all again.
        """
        changed = [name for name, (_, _, state) in found.items() if self.known.get(name) != state]
        self.known = {name: state for name, (_, _, state) in found.items()}
        texts = [_event(*found[name][:2]) for name in changed]
        if not texts:
            return ""
        return f"{''.join(texts[:-1])}id: {digest(self.known)}\n{texts[-1]}"


def _event(name: LiveEvent, data: Mapping[str, Any]) -> str:
    return f"event: {name}\ndata: {json.dumps(data, separators=(',', ':'))}\n\n"


def digest(known: Mapping[str, State]) -> str:
    """Return the id of the last event for a client that knows some states."""
    return sha256(json.dumps(sorted(known.items())).encode()).hexdigest()[:24]
