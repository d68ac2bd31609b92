"""The endpoint of live events."""

from __future__ import annotations

import re
from typing import Any

from pyramid.response import Response

from masthead.auth.policy import bearer_token
from masthead.errors import Forbidden, Invalid
from masthead.http.endpoints import endpoint
from masthead.http.environ import HOLD
from masthead.http.paging import TEXT_FILTER
from masthead.http.permissions import SIGNED_IN
from masthead.http.request import Request
from masthead.live.hub import Hub
from masthead.live.states import Item, States, Wanted
from masthead.live.streams import Stream, digest
from masthead.schemas.schema import optional, schema

MEDIA_TYPE = "text/event-stream"
_MOST_ITEMS = 100
_ITEM = re.compile(r"([a-z][a-z0-9-]*):([1-9][0-9]{0,17})")
_RECONNECT, _POLL = 3_000, 5_000
"""The milliseconds after which a client connects again: after a loss, and to ask again."""


@endpoint(
    "GET",
    "/api/staff/live-events",
    name="live-events.stream",
    permission=SIGNED_IN,
    query=schema(
        {
            "watch": optional(TEXT_FILTER, nullable=False),
            "types": optional(TEXT_FILTER, nullable=False),
            "lastEventId": optional(TEXT_FILTER, nullable=False),
        }
    ),
    returns=MEDIA_TYPE,
    refuses=frozenset({403}),
)
def stream_events(request: Request) -> Response:
    """Follow your notifications, and the changes of items and content types, as events."""
    hub = request.instance.shared(Hub)
    wanted = _wanted(request, hub.states)
    stream = Stream(wanted, bearer_token(request) or "", hub=hub)
    snapshot = hub.states.read(request.db.connection(), [wanted])
    text = stream.events(snapshot.of(wanted, request.identity, hub.states.permissions))
    known = _last_id(request) == digest(stream.known)
    retry = _RECONNECT if _is_held(request, stream) else _POLL
    body = f"retry: {retry}\n\n{'' if known else text}".encode()
    response = Response(app_iter=iter([body]), content_type=MEDIA_TYPE, charset="UTF-8")
    # Or else nginx keeps the events until it has some KiB of them.
    response.headers["X-Accel-Buffering"] = "no"
    return response


def _last_id(request: Request) -> str | None:
    """Return the id of the last event that the client has got."""
    # Browsers send the header to other origins only with a permission that isn't given.
    return request.headers.get("Last-Event-ID") or request.query.get("lastEventId")


def _is_held(request: Request, stream: Stream) -> bool:
    """Keep the connection open for further events, and return whether that is possible."""
    hold, hub = request.environ.get(HOLD), stream.hub
    if hold is None or hub is None or request.method != "GET":
        return False
    if not hub.has_room(stream.wanted.user_id):
        return False
    hold(stream)
    return True


def _wanted(request: Request, states: States) -> Wanted:
    """Return what the query asks for.

    :raises Invalid: for an unknown type, or text that isn't a list of items.
    :raises Forbidden: for a type that the caller may not read.
    """
    items, types = _items(request, states), frozenset(_parts(request.query, "types"))
    if types - states.types:
        raise Invalid(f"types: Must be some of {', '.join(sorted(states.types))}")
    for name in types.union(name for name, _ in items):
        if not request.identity.may(states.permissions[name]):
            raise Forbidden
    return Wanted(request.identity.id, items, types)


def _items(request: Request, states: States) -> frozenset[Item]:
    parts = _parts(request.query, "watch")
    named = [found for each in parts if (found := _ITEM.fullmatch(each))]
    items = {(each[1], int(each[2])) for each in named if each[1] in states.items}
    if len(named) < len(parts) or not states.items.issuperset(each[1] for each in named):
        raise Invalid("watch: Must be items such as news:7, separated by commas")
    if len(items) > _MOST_ITEMS:
        raise Invalid(f"watch: At most {_MOST_ITEMS} items")
    return frozenset(items)


def _parts(query: dict[str, Any], name: str) -> list[str]:
    return [part for each in query.get(name, "").split(",") if (part := each.strip())]
