"""Endpoints: declared once, from which come route, checks, answer and OpenAPI."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

import colander
from pyramid.config import Configurator
from pyramid.request import Request
from pyramid.response import Response
from pyramid.security import NO_PERMISSION_REQUIRED

from masthead.environ import CACHE_KEY
from masthead.errors import Invalid, NotFound, StartError
from masthead.hookspecs import hookimpl
from masthead.paging import Page, page_headers, paging_fields, read_window
from masthead.plugins import each_once
from masthead.schemas import MAX_ID, Kind, Schema, bound, dump, load, load_query
from masthead.settings import Setting, Settings, integer, url
from masthead.uploads import FileField, read_upload
from masthead.wire import dump_json, parse_json

PUBLIC = "public"
"""The permission of an endpoint that anybody may call."""
SIGNED_IN = "signed in"
"""The permission of an endpoint that everybody with a valid token may call."""


def base_address(value: str) -> str:
    """As ``url``, but never blank: nothing that is mailed or fed would lead anywhere.

    :raises ValueError: where it is blank, or no address.
    """
    address = url(value)
    if not address:
        raise ValueError("an address such as https://api.example.org")
    return address


BASE_URL = Setting(
    "masthead.base_url",
    base_address,
    "http://127.0.0.1:6543",
    "Where clients reach the API; every absolute address that Masthead writes starts with it.",
)
MAX_BODY = Setting(
    "masthead.json.max_body",
    integer(1024, 1024**3),
    str(2 * 1024**2),
    "The most bytes that a request's JSON body may have.",
    shows=False,
)

PLACEHOLDER = re.compile(r"\{(\w+)\}")
"""What stands in a path for what a request has there, by its name."""

View = Callable[[Request], Any]
_HIDDEN = "{token}"
_ID = re.compile(r"[1-9][0-9]{0,18}\Z")


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """One operation of the REST interface."""

    name: str
    """``<plugin>.<operation>``, unique: the route's name and the operationId."""
    method: str
    path: str
    """The address as a pattern: ``{id}`` and ``{…_id}`` stand for a positive integer, ``{token}``
    at the end for a secret that no log shows, others for any text."""
    view: View
    """Gets the request with ``request.data`` (the body), ``request.query`` and, for a list that is
    paged, ``request.window``, all checked; returns what ``returns`` describes, or a Response that
    is ready."""
    permission: str
    """``PUBLIC``, ``SIGNED_IN`` or the name of a declared permission."""
    summary: str
    returns: colander.SchemaNode | Kind | str
    """The answer's schema; a text names the media type of an answer that isn't JSON."""
    query: colander.SchemaNode | None = None
    body: colander.SchemaNode | None = None
    upload: FileField | None = None
    """The file that it takes: the body is a form then, whose other fields ``body`` declares, and
    the view finds the file as ``request.upload``."""
    page: int | None = None
    """For a list that is paged: the limit where none is asked for."""
    keep: bool | None = None
    """Whether a public GET's answer is kept in memory until content or settings change, which is
    all that it may depend on; where nothing is said, JSON is and everything else isn't."""
    refuses: frozenset[int] = frozenset()
    """Statuses beyond those that follow from the declaration."""
    failure: str = ""
    """What the client reads where a fault of ours fails the request; a general text where blank."""

    @cached_property
    def statuses(self) -> list[int]:
        """Every status that it answers with, 500 excepted."""
        statuses = {200, *self.refuses}
        if any(each is not None for each in (self.body, self.upload, self.query, self.page)):
            statuses.add(400)
        if self.permission != PUBLIC:
            statuses.add(401)
        if self.permission not in (PUBLIC, SIGNED_IN):
            statuses.add(403)
        if "{" in self.path:
            statuses.add(404)
        if self.cacheable:
            statuses.add(304)
        return sorted(statuses)

    @property
    def cacheable(self) -> bool:
        """Whether its answers carry an entity tag, and are kept as long as no content changes."""
        if self.permission != PUBLIC or self.method != "GET":
            return False
        return not isinstance(self.returns, str) if self.keep is None else self.keep

    @cached_property
    def parameters(self) -> colander.SchemaNode:
        """The query parameters it knows."""
        node = self.query.clone() if self.query is not None else Schema()
        if self.page is not None:
            for field in paging_fields():
                node.add(field)
        return node


def check_endpoints(owned: Sequence[tuple[str, Endpoint]]) -> list[Endpoint]:
    """Refuse what Pyramid would silently hide, and put fixed paths before patterns.

    :param owned: pairs of the declaring plugin's name and the endpoint.
    :raises StartError: for two endpoints with one name, or one method and path, and for braces that
        are no placeholder.
    """
    for _, endpoint in owned:
        if re.search("[{}]", PLACEHOLDER.sub("", endpoint.path)):
            raise StartError(f"{_words(endpoint)}: braces of a path hold a name and nothing else")
    each_once(owned, lambda endpoint: endpoint.name, _words)
    endpoints = each_once(owned, _address, _words)
    # Patterns are tried one after the other, so what visitors ask for comes first.
    return sorted(endpoints, key=lambda e: ("{" in e.path, e.permission != PUBLIC))


def _address(endpoint: Endpoint) -> tuple[str, str]:
    """Method and path, whatever the path's patterns are called."""
    return endpoint.method, PLACEHOLDER.sub("{}", endpoint.path)


def is_id(name: str) -> bool:
    """Whether a placeholder of this name stands for a positive integer."""
    return name == "id" or name.endswith("_id")


def _words(endpoint: Endpoint) -> str:
    return f"{endpoint.method} {endpoint.path} ({endpoint.name})"


def secret_paths(endpoints: Iterable[Endpoint]) -> tuple[str, ...]:
    """Beginnings of paths whose rest is a secret, see ``Endpoint.path``."""
    starts = {each.path.partition(_HIDDEN)[0] for each in endpoints if _HIDDEN in each.path}
    return tuple(sorted(starts))


def add_endpoints(config: Configurator, endpoints: Iterable[Endpoint], settings: Settings) -> None:
    """Give each endpoint its Pyramid route and view."""
    for endpoint in endpoints:
        config.add_route(endpoint.name, endpoint.path, request_method=_methods(endpoint.method))
        permission = (
            NO_PERMISSION_REQUIRED if endpoint.permission == PUBLIC else endpoint.permission
        )
        config.add_view(
            _bound_view(endpoint, settings), route_name=endpoint.name, permission=permission
        )


def _methods(method: str) -> tuple[str, ...]:
    return ("GET", "HEAD") if method == "GET" else (method,)


def _bound_view(endpoint: Endpoint, settings: Settings) -> Callable[[Any, Request], Response]:
    """The Pyramid view: checks what came in, calls the endpoint's view, dumps what it returns."""
    body = bound(endpoint.body, settings) if endpoint.body is not None else None
    base_url, upload = settings[BASE_URL], endpoint.upload
    most = settings[MAX_BODY if upload is None else upload.most]

    def view(context: Any, request: Request) -> Response:  # noqa: ARG001 - Pyramid passes it
        _read_path(request.matchdict)
        request.query = load_query(endpoint.parameters, request.GET)
        if endpoint.page is not None:
            request.window = read_window(request.query, endpoint.page)
        if upload is not None:
            _read_form(request, upload, body, most)
        elif body is not None:
            request.data = load(body, parse_json(_read_body(request, most)))
        result = endpoint.view(request)
        if endpoint.page is not None:
            result = _turn_page(endpoint, request, result, base_url)
        response = result if isinstance(result, Response) else _answer(endpoint, request, result)
        if endpoint.cacheable:
            request.environ[CACHE_KEY] = _cache_key(endpoint, request)
        lifetime = "no-cache" if endpoint.cacheable else "no-store"
        response.headers.setdefault("Cache-Control", lifetime)
        return response

    return view


def _answer(endpoint: Endpoint, request: Request, result: Any) -> Response:
    """What a view returned as JSON; bytes are JSON that is ready."""
    response = request.response
    response.body = result if isinstance(result, bytes) else dump_json(_dumped(endpoint, result))
    response.content_type, response.charset = "application/json", None
    return response


def _read_body(request: Request, most: int) -> bytes:
    if (request.content_length or 0) > most:
        raise Invalid(f"The body has more than {most} bytes")
    body: bytes = request.body_file.read(most + 1)
    if len(body) > most:
        raise Invalid(f"The body has more than {most} bytes")
    return body


def _read_form(
    request: Request, field: FileField, body: colander.SchemaNode | None, most: int
) -> None:
    """Give the request the form that is its body: the file, and the fields beside it."""
    request.upload, texts = read_upload(request, field, most)
    request.add_finished_callback(lambda done: done.upload.file.close())
    if body is not None:
        request.data = load_query(body, texts)


def _read_path(matched: dict[str, Any]) -> None:
    """Turn ``{id}`` and ``{…_id}`` of the path into integers."""
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
    if isinstance(shape, Kind):
        return shape.dump(result)
    assert isinstance(shape, colander.SchemaNode)
    return dump(shape, result)


def _cache_key(endpoint: Endpoint, request: Request) -> str:
    """The address in its canonical form: parameters that the endpoint doesn't know are left out."""
    return f"{request.path}?{urlencode(sorted(_sent(endpoint, request).items()))}"


def _sent(endpoint: Endpoint, request: Request) -> dict[str, str]:
    """The parameters that were sent, of those that the endpoint knows."""
    return {c.name: request.GET[c.name] for c in endpoint.parameters if c.name in request.GET}


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Where clients reach the endpoints, and how much they may send."""
    return [BASE_URL, MAX_BODY]
