"""The Pyramid route and view of each endpoint, and the checks before the view."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

import colander
from pyramid.config import Configurator
from pyramid.events import BeforeTraversal
from pyramid.response import Response
from pyramid.security import NO_PERMISSION_REQUIRED

from masthead.errors import Busy, Forbidden, Invalid, NotFound, Refusal
from masthead.hookspecs import hookimpl
from masthead.http.endpoints import Endpoint, is_id
from masthead.http.environ import CACHE_KEY, HEAD_ONLY, ROUTE
from masthead.http.form_posts import read_fields
from masthead.http.idempotency import HEADER as KEY_HEADER
from masthead.http.idempotency import HOURS, answer_once
from masthead.http.paging import Page, page_headers, read_window
from masthead.http.permissions import PUBLIC
from masthead.http.refusals import answer_refusal
from masthead.http.request import Request
from masthead.http.revisions import CHANGING, ETAG, Precondition
from masthead.http.uploads import FileField, check_length, read_upload
from masthead.http.wire import dump_json, parse_json
from masthead.schemas.field_types import MAX_ID, FieldType, Str
from masthead.schemas.schema import bound, dump, load, load_query, optional, schema, strict
from masthead.settings import Setting, Settings, integer, url


def base_address(value: str) -> str:
    """Parse an address as ``url`` does, but refuse a blank one: links in e-mails and feeds need it.

    :raises ValueError: if it is blank or no address.
    """
    address = url(value)
    if not address:
        raise ValueError("an address such as https://api.example.org")
    return address


BASE_URL = Setting(
    "masthead.base_url",
    base_address,
    "http://127.0.0.1:6543",
    "Address of the API for clients; all absolute addresses that Masthead generates start with it.",
)
MAX_BODY = Setting(
    "masthead.json.max_body",
    integer(1024, 1024**3),
    str(2 * 1024**2),
    "Maximum size of a JSON request body in bytes; masthead.server.max_body must not be less.",
    shows=False,
    at_most="masthead.server.max_body",
)
NO_BODY = 64 * 1024
"""The maximum number of bytes in the body of a request that needs none."""

_MAINTENANCE_RETRY = 60
"""Seconds after which a client can repeat a request that maintenance has refused."""
_ETAG_BODY = schema({ETAG: optional(Str())})
_ID = re.compile(r"[1-9][0-9]{0,18}\Z")


def add_endpoints(config: Configurator, endpoints: Iterable[Endpoint], settings: Settings) -> None:
    """Add a Pyramid route and view for each endpoint."""
    config.add_subscriber(_note_route, BeforeTraversal)
    for endpoint in endpoints:
        config.add_route(endpoint.name, endpoint.path, request_method=_methods(endpoint.method))
        permission = (
            NO_PERMISSION_REQUIRED if endpoint.permission == PUBLIC else endpoint.permission
        )
        config.add_view(
            _bound_view(endpoint, settings), route_name=endpoint.name, permission=permission
        )


def _note_route(event: BeforeTraversal) -> None:
    """Note the endpoint for logs and metrics, also for a request that is refused early."""
    if (route := event.request.matched_route) is not None:
        event.request.environ[ROUTE] = route.name


def max_body(endpoint: Endpoint, settings: Settings) -> int:
    """Return the maximum number of bytes in the body of a request to an endpoint."""
    if endpoint.upload is not None:
        most = endpoint.upload.max_bytes
        return most if isinstance(most, int) else settings[most]
    if endpoint.raw_body is not None:
        return endpoint.raw_body
    return NO_BODY if endpoint.body is None else settings[MAX_BODY]


def _methods(method: str) -> tuple[str, ...]:
    return ("GET", "HEAD") if method == "GET" else (method,)


def _bound_view(endpoint: Endpoint, settings: Settings) -> Callable[[Any, Request], Response]:
    """Return the Pyramid view, which checks the request, calls the view and dumps its result."""
    body = bound(endpoint.body, settings) if endpoint.body is not None else None
    if body is not None and endpoint.method == "PUT":
        body = strict(body)
    base_url, upload = settings[BASE_URL], endpoint.upload
    max_bytes = max_body(endpoint, settings)

    def view(context: Any, request: Request) -> Response:  # noqa: ARG001 - Pyramid passes it
        sent = None
        _check_call(endpoint, request)
        _read_path(request.matchdict)
        is_list = endpoint.page is not None
        request.query = load_query(endpoint.parameters, request.GET, skip_blank=is_list)
        if endpoint.page is not None:
            request.window = read_window(request.query, endpoint.page)
        if HEAD_ONLY in request.environ:
            check_length(request, max_bytes)
            return Response(status=100)
        if upload is not None:
            sent = _read_form(request, upload, body, max_bytes)
        elif endpoint.raw_body is not None:
            request.raw = _read_body(request, max_bytes)
        elif body is not None:
            sent = _read_values(endpoint, request, body, max_bytes)
            request.data = load(body, sent)
        answer = partial(_answer, endpoint, request, base_url)
        if endpoint.takes_key and KEY_HEADER in request.headers:
            return answer_once(endpoint, request, sent, answer)
        return answer()

    return view


def _lifetime(endpoint: Endpoint, settings: Settings) -> str:
    """Return the value of ``Cache-Control``, unless the view's response has its own."""
    if not endpoint.cacheable:
        return "no-store"
    seconds = settings[endpoint.max_age] if endpoint.max_age is not None else 0
    return f"max-age={seconds}" if seconds else "no-cache"


def _check_call(endpoint: Endpoint, request: Request) -> None:
    """Refuse a write in maintenance, and a caller who has only the first permission.

    Pyramid has checked the first permission.
    """
    if endpoint.method != "GET" and request.instance.maintenance.is_on():
        raise Busy("The site is in maintenance; try again later", _MAINTENANCE_RETRY)
    if not all(request.identity.may(each) for each in endpoint.also_needs):
        raise Forbidden
    if endpoint.needs_login and request.identity.credential is not None:
        raise Forbidden("Only a user who has logged in can do this")


def _perform(endpoint: Endpoint, request: Request) -> Any:
    """Call the view, and refuse a change whose precondition it hasn't compared."""
    if endpoint.method not in CHANGING:
        return _call_view(endpoint, request)
    member = _etag_of_deletion(request) if endpoint.body is None else request.data.pop(ETAG, None)
    request.precondition = Precondition(request.headers.get("If-Match"), member)
    result = _call_view(endpoint, request)
    # A refusal that is an answer and no exception stores something, such as a failed login.
    if not isinstance(result, Response) or result.status_int < HTTPStatus.BAD_REQUEST:
        request.precondition.require_comparison()
    return result


def _call_view(endpoint: Endpoint, request: Request) -> Any:
    """Return the result of the view; a refusal with a record is an answer, which commits it."""
    try:
        return endpoint.view(request)
    except Refusal as refusal:
        if refusal.is_recorded:
            return answer_refusal(refusal, request)
        raise


def _etag_of_deletion(request: Request) -> str | None:
    """Return the ETag in the body of a request that needs no body, which may be anything."""
    if not request.content_length:
        return None
    try:
        sent = parse_json(_read_body(request, NO_BODY))
    except Invalid:
        return None
    return load(_ETAG_BODY, sent).get(ETAG)


def _answer(endpoint: Endpoint, request: Request, base_url: str) -> Response:
    """Return the response to a checked request."""
    result = _perform(endpoint, request)
    if endpoint.page is not None:
        result = _turn_page(endpoint, request, result, base_url)
    response = result if isinstance(result, Response) else _as_json(endpoint, request, result)
    if endpoint.cacheable:
        request.environ[CACHE_KEY] = _cache_key(endpoint, request)
    lifetime = _lifetime(endpoint, request.instance.settings)
    response.headers.setdefault("Cache-Control", lifetime)
    return response


def _as_json(endpoint: Endpoint, request: Request, result: Any) -> Response:
    """Return the result of a view as a JSON response; bytes are JSON already."""
    response = request.response
    response.body = result if isinstance(result, bytes) else dump_json(_dumped(endpoint, result))
    response.content_type, response.charset = "application/json", None
    return response


def _read_body(request: Request, max_bytes: int) -> bytes:
    check_length(request, max_bytes)
    body: bytes = request.body_file.read(max_bytes + 1)
    if len(body) > max_bytes:
        raise Invalid(f"The body has more than {max_bytes} bytes")
    return body


def _read_values(
    endpoint: Endpoint, request: Request, body: colander.SchemaNode, max_bytes: int
) -> dict[str, Any]:
    """Return the JSON object in the body, or the fields of a form."""
    sent = _read_body(request, max_bytes)
    fields = read_fields(request, sent, body, endpoint.form) if endpoint.form else None
    return parse_json(sent) if fields is None else fields


def _read_form(
    request: Request, field: FileField, body: colander.SchemaNode | None, max_bytes: int
) -> dict[str, Any] | None:
    """Read the form in the body; set ``upload`` and ``data`` of the request.

    :returns: the texts and the digest of the file, if the request has an idempotency key.
    """
    upload, texts = read_upload(request, field, max_bytes)
    # Its type is that for the views of required files, which are nearly all.
    request.upload = upload  # type: ignore[assignment]
    if upload is not None:
        request.add_finished_callback(lambda _: upload.file.close())
    if body is not None:
        request.data = load_query(body, texts)
    if KEY_HEADER not in request.headers:
        return None
    if upload is None:
        return {"texts": texts}
    return {"texts": texts, "file": upload.filename, "sha256": upload.digest()}


def _read_path(matched: dict[str, Any]) -> None:
    """Convert ``{id}`` and ``{…_id}`` of the path to integers."""
    for name, text in matched.items():
        if is_id(name):
            if not _ID.match(text) or int(text) > MAX_ID:
                raise NotFound
            matched[name] = int(text)


def _turn_page(endpoint: Endpoint, request: Request, page: Page, base_url: str) -> Any:
    sent, address = _sent(endpoint, request), base_url + request.path
    headers = page_headers(address, sent, request.window, page.total)
    request.response.headers.update(headers)
    return page.items


def _dumped(endpoint: Endpoint, result: Any) -> Any:
    shape = endpoint.returns
    if isinstance(shape, FieldType):
        return shape.dump(result)
    assert isinstance(shape, colander.SchemaNode)
    return dump(shape, result)


def _cache_key(endpoint: Endpoint, request: Request) -> str:
    """Return the canonical form of the address, without parameters that the endpoint ignores."""
    return f"{request.path}?{urlencode(sorted(_sent(endpoint, request).items()))}"


def _sent(endpoint: Endpoint, request: Request) -> dict[str, str]:
    """Return the sent parameters that the endpoint accepts."""
    return {c.name: request.GET[c.name] for c in endpoint.parameters if c.name in request.GET}


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Declare the API's address, the size limits of bodies, and the lifetime of keys."""
    return [BASE_URL, MAX_BODY, HOURS]
