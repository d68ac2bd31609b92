"""The answers of endpoints as Response Objects."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from masthead.http.endpoints import REDIRECTS, Endpoint
from masthead.schemas.labels import pascal_case
from masthead.schemas.schema import json_schema, optional, required, schema
from masthead.schemas.stored import PlainText
from masthead.web.openapi.components import Components
from masthead.web.openapi.errors import ERROR
from masthead.web.openapi.subschemas import JsonSchema

_MEANINGS = {
    HTTPStatus.OK: "The request is done.",
    HTTPStatus.PARTIAL_CONTENT: "The requested range of the bytes.",
    HTTPStatus.NOT_MODIFIED: "The client has the present answer already.",
    HTTPStatus.BAD_REQUEST: "The request is invalid, or the present state doesn't allow it.",
    HTTPStatus.UNAUTHORIZED: "There is no token, or an invalid or expired one.",
    HTTPStatus.FORBIDDEN: "The token is valid, and the permission is missing.",
    HTTPStatus.NOT_FOUND: "There is no such item, or none that the client may see.",
    HTTPStatus.GONE: "It was there, and is deleted; the message says how to go on.",
    HTTPStatus.PRECONDITION_FAILED: "The item has another revision than `If-Match` names.",
    HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE: "The requested range has no byte of the file.",
    HTTPStatus.TOO_MANY_REQUESTS: "There were too many attempts; try again later.",
    HTTPStatus.SERVICE_UNAVAILABLE: "The server is busy or not ready; try again later.",
}
_EVENTS = "text/event-stream"
_EVENT = schema(
    {
        "id": optional(PlainText(), help="The id of the event, for `Last-Event-ID`."),
        "event": required(PlainText(), help="The kind of the event.", example="notifications"),
        "data": required(PlainText(), help="The values of the event, as JSON."),
    },
    name="StreamedEvent",
    help="One of the server-sent events of a stream.",
)
_PAGE = {"text/html": {"schema": {"type": "string"}}}
_ETAG = {"description": "Changes when the answer changes.", "schema": {"type": "string"}}
_REVISION = {
    "description": "The revision of the item, for `If-Match`.",
    "schema": {"type": "string"},
}
_HEADERS = {
    "X-Total-Count": ("The number of items on all pages.", "integer"),
    "Link": ("The addresses of the next and the previous page (RFC 8288).", "string"),
    "Location": ("The address to go to.", "string"),
    "Retry-After": ("The seconds after which the request can be repeated.", "integer"),
}


class Responses:
    """Describes answers; those of refused requests are shared by all operations."""

    def __init__(self, components: Components) -> None:
        self.shared: dict[str, dict[str, Any]] = {}
        self._components = components
        self._error = components.refer(json_schema(ERROR), "Error")

    def of(
        self, endpoint: Endpoint, answer: JsonSchema | None, *, revised: bool
    ) -> dict[str, dict[str, Any]]:
        """Describe all answers of an endpoint by status.

        :param answer: the schema of its 200 response; None if it isn't JSON.
        :param revised: whether the 200 response shows the revision of an item.
        """
        described = {}
        for status in _statuses(endpoint):
            if status >= HTTPStatus.BAD_REQUEST and endpoint.refusal_page is None:
                described[str(status)] = self._refusal(status, with_page=endpoint.has_pages)
            else:
                described[str(status)] = _response(endpoint, status, answer, revised=revised)
        if endpoint.returns == _EVENTS:
            # The schema is that of each event.
            event = self._components.refer(json_schema(_EVENT), "StreamedEvent")
            described["200"]["content"] = {_EVENTS: {"schema": event}}
        return described

    def _refusal(self, status: int, *, with_page: bool) -> dict[str, Any]:
        """Refer to the answer of a refused request with a status.

        :param with_page: whether some clients get a page instead of JSON.
        """
        name = pascal_case(HTTPStatus(status).phrase.title()) + ("Page" if with_page else "")
        if name not in self.shared:
            page = _PAGE if with_page else {}
            content = {"application/json": {"schema": self._error}, **page}
            self.shared[name] = {**_described(status, _retry_headers(status)), "content": content}
        return {"$ref": f"#/components/responses/{name}"}


def _statuses(endpoint: Endpoint) -> list[int]:
    """Return the statuses; any request can be so malformed that it is refused."""
    refused = [status for status in endpoint.statuses if status // 100 == 4]
    return endpoint.statuses if refused else sorted([*endpoint.statuses, HTTPStatus.BAD_REQUEST])


def _response(
    endpoint: Endpoint, status: int, answer: JsonSchema | None, *, revised: bool
) -> dict[str, Any]:
    headers: dict[str, Any] = _retry_headers(status)
    if status in (HTTPStatus.OK, HTTPStatus.NOT_MODIFIED) and (
        revised or HTTPStatus.NOT_MODIFIED in endpoint.statuses
    ):
        headers["ETag"] = _REVISION if revised else _ETAG
    if endpoint.page is not None and status == HTTPStatus.OK:
        headers |= {name: _header(name) for name in ("X-Total-Count", "Link")}
    if status in REDIRECTS:
        headers["Location"] = _header("Location")
    described = _described(status, headers)
    if status in (HTTPStatus.OK, HTTPStatus.PARTIAL_CONTENT):
        described["content"] = _content(endpoint, answer)
    elif status >= HTTPStatus.BAD_REQUEST:
        described["content"] = _PAGE
    return described


def _content(endpoint: Endpoint, answer: JsonSchema | None) -> dict[str, Any]:
    if not isinstance(endpoint.returns, str):
        page = _PAGE if endpoint.has_pages else {}
        return {"application/json": {"schema": answer}, **page}
    is_text = endpoint.returns.startswith("text/") or endpoint.returns.endswith("xml")
    binary = {} if is_text else {"format": "binary"}
    return {endpoint.returns: {"schema": {"type": "string", **binary}}}


def _described(status: int, headers: dict[str, Any]) -> dict[str, Any]:
    phrase = HTTPStatus(status).phrase
    meaning = _MEANINGS.get(HTTPStatus(status), f"{phrase}.")
    return {"description": meaning, **({"headers": headers} if headers else {})}


def _retry_headers(status: int) -> dict[str, Any]:
    waits = status in (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)
    return {"Retry-After": _header("Retry-After")} if waits else {}


def _header(name: str) -> dict[str, Any]:
    meaning, kind = _HEADERS[name]
    return {"description": meaning, "schema": {"type": kind}}
