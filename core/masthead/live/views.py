"""The endpoint of live events."""

from __future__ import annotations

from pyramid.response import Response

from masthead.auth.policy import bearer_token
from masthead.http.endpoints import endpoint
from masthead.http.environ import HOLD
from masthead.http.permissions import SIGNED_IN
from masthead.http.request import Request
from masthead.live.hub import Hub
from masthead.live.streams import Stream, digest
from masthead.live.wanted import QUERY, read_wanted

MEDIA_TYPE = "text/event-stream"
_RECONNECT, _POLL = 3_000, 5_000
"""The milliseconds after which a client connects again: after a loss, and to ask again."""


@endpoint(
    "GET",
    "/api/staff/live-events",
    name="live-events.stream",
    permission=SIGNED_IN,
    query=QUERY,
    returns=MEDIA_TYPE,
    refuses=frozenset({403}),
)
def stream_events(request: Request) -> Response:
    """Follow your notifications, and the changes of items and content types, as events."""
    hub = request.instance.shared(Hub)
    wanted = read_wanted(request, hub.states)
    stream = Stream(wanted, request.identity, bearer_token(request) or "", hub=hub)
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
