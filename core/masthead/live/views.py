"""The endpoint of live events."""

from __future__ import annotations

import re
from typing import Any

from pyramid.response import Response

from masthead.auth.policy import bearer_token
from masthead.errors import Forbidden, ProblemCode, wrong_field
from masthead.http.endpoints import endpoint
from masthead.http.environ import HOLD
from masthead.http.paging import TEXT_FILTER
from masthead.http.permissions import SIGNED_IN
from masthead.http.request import Request
from masthead.live.hub import Hub
from masthead.live.states import States, Wanted
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
            "watch": optional(
                TEXT_FILTER,
                nullable=False,
                help="Items to follow, as types and ids with commas between them.",
                example="news:7,events:3",
            ),
            "types": optional(
                TEXT_FILTER,
                nullable=False,
                help="Content types to follow, with commas between them.",
                example="news,events",
            ),
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
    found = snapshot.of(wanted, request.identity, hub.states.permissions)
    text, hold = stream.events(found), request.environ.get(HOLD)
    if request.headers.get("Last-Event-ID") == digest(stream.known):
        text = ""
    held = hold is not None and request.method == "GET" and hub.has_room(wanted.user_id)
    if held:
        hold(stream)
    body = f"retry: {_RECONNECT if held else _POLL}\n\n{text}".encode()
    response = Response(app_iter=iter([body]), content_type=MEDIA_TYPE, charset="UTF-8")
    # Or else nginx keeps the events until it has some KiB of them.
    response.headers["X-Accel-Buffering"] = "no"
    return response


def _wanted(request: Request, states: States) -> Wanted:
    """Return what the query asks for.

    :raises Invalid: for an unknown type, or text that isn't a list of items.
    :raises Forbidden: for a type that the caller may not read.
    """
    items = set[tuple[str, int]]()
    for each in _parts(request.query, "watch"):
        found = _ITEM.fullmatch(each)
        if found is None or found[1] not in states.items:
            message = "Must be items such as news:7, separated by commas"
            raise wrong_field("watch", ProblemCode.WRONG_FORM, message)
        items.add((found[1], int(found[2])))
    types = _parts(request.query, "types")
    if not states.types.issuperset(types):
        message = f"Must be some of {', '.join(sorted(states.types))}"
        raise wrong_field("types", ProblemCode.NOT_AN_OPTION, message)
    if len(items) > _MOST_ITEMS:
        message = f"At most {_MOST_ITEMS} items"
        raise wrong_field("watch", ProblemCode.TOO_MANY, message, limit=_MOST_ITEMS)
    for name in {*types, *(name for name, _ in items)}:
        if not request.identity.may(states.permissions[name]):
            raise Forbidden
    return Wanted(request.identity.id, frozenset(items), frozenset(types))


def _parts(query: dict[str, Any], name: str) -> list[str]:
    return [part for each in query.get(name, "").split(",") if (part := each.strip())]
