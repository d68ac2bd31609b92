"""Checks of every response that a test receives against its declaration."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any
from urllib.parse import unquote_to_bytes

import orjson
from jsonschema import (  # type: ignore[import-untyped]  # it has no types
    Draft202012Validator,
    FormatChecker,
)
from pyramid.urldispatch import RoutesMapper

from masthead.csv.formulas import is_formula
from masthead.http.endpoints import REDIRECTS, Endpoint
from masthead.http.ingress import MAX_PATH, MAX_QUERY
from masthead.http.list_query import FIELDS
from masthead.http.wire import common_headers
from masthead.schemas.schema import json_schema
from masthead.testing.declared import Received
from masthead.web.openapi.answers import answer_schema, closed
from masthead.web.openapi.errors import ERROR

_TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
_OTHER_TIMESTAMP = re.compile(rb'"\d{4}-\d\d-\d\dT[\d:.]+\+00:00"')
_INSIDES = re.compile(r"Traceback|sqlalchemy|psycopg|sqlite3|site-packages")
_LIFETIME = re.compile(
    r"no-cache|max-age=[1-9]\d*|max-age=0, s-maxage=[1-9]\d*(, stale-[a-z-]+=[1-9]\d*)*"
)
"""The lifetimes of a public answer: a client asks each time or keeps it, or a shared cache does."""
_KEPT = REDIRECTS | {200, 206, 304}
"""The statuses of public answers that a client may keep."""

_formats = FormatChecker(formats=())


# jsonschema leaves its decorator untyped.
@_formats.checks("date-time")  # type: ignore[untyped-decorator]
def _is_timestamp(value: Any) -> bool:
    return not isinstance(value, str) or _TIMESTAMP.fullmatch(value) is not None


class AnswerChecker:
    """Compares responses with the declarations of an app's endpoints."""

    def __init__(self, endpoints: Iterable[Endpoint], received: Received, base_url: str) -> None:
        self._endpoints = {endpoint.name: endpoint for endpoint in endpoints}
        self._received = received
        self._headers = common_headers(base_url)
        self._validators: dict[tuple[str, bool], Draft202012Validator] = {}
        self._error = Draft202012Validator(closed(json_schema(ERROR)))
        self._routes = RoutesMapper()
        for endpoint in self._endpoints.values():
            self._routes.connect(
                endpoint.name, endpoint.path, predicates=(_takes(endpoint.method),)
            )

    def check(self, request: Any, answer: Any, asked: Any = None) -> None:
        """Check a response, and record its status and fields.

        :param request: WebOb's request.
        :param answer: WebOb's response.
        :param asked: the status that the test expects, if it names one.
        :raises AssertionError: with all that is wrong with the response.
        """
        endpoint = self._find(request)
        wrong = [
            *self._status(endpoint, request, answer, asked),
            *self._common_headers(answer),
            *_caching(endpoint, answer),
            *self._body(endpoint, request, answer),
        ]
        if wrong:
            name = endpoint.name if endpoint else "no endpoint"
            lines = "\n  ".join(wrong)
            raise AssertionError(
                f"{request.method} {request.path_qs} ({name}) answered {answer.status_int}:\n"
                f"  {lines}\n  {answer.body[:500]!r}"
            )
        if endpoint is not None:
            self._received.note(endpoint, answer.status_int, _json_of(answer))

    def _find(self, request: Any) -> Endpoint | None:
        """Return the endpoint of a request; None if the ingress layer refuses the request."""
        path, query = request.environ["PATH_INFO"], request.environ.get("QUERY_STRING", "")
        if len(path) > MAX_PATH or len(query) > MAX_QUERY:
            return None
        try:
            path.encode("latin-1").decode()
            unquote_to_bytes(query).decode()
        except UnicodeDecodeError:
            return None
        route = self._routes(request)["route"]
        return self._endpoints[route.name] if route is not None else None

    def _status(
        self, endpoint: Endpoint | None, request: Any, answer: Any, asked: Any
    ) -> Iterator[str]:
        if request.method == "OPTIONS":
            allowed = [200]
        else:
            allowed = endpoint.statuses if endpoint is not None else [400, 404]
        status = answer.status_int
        # Every endpoint can fail, or find the database busy; none declares that.
        if status not in allowed and not (status == asked and status in (500, 503)):
            yield f"the status is none of those declared: {', '.join(map(str, allowed))}"

    def _common_headers(self, answer: Any) -> Iterator[str]:
        # A 304 response keeps the headers of the full response.
        is_json = answer.content_type in ("application/json", None) and answer.status_int != 304
        for name, value in self._headers:
            got = answer.headers.getall(name)
            # A page or an image may have a policy of its own.
            own = name == "Content-Security-Policy" and not is_json
            if len(got) != 1 or (got != [value] and not own):
                yield f"the header {name} is {got}, not {value!r}"
        if not answer.headers.get("X-Request-Id"):
            yield "the header X-Request-Id is missing"
        if "Server" in answer.headers:
            yield "the header Server names the software"

    def _body(self, endpoint: Endpoint | None, request: Any, answer: Any) -> Iterator[str]:
        status = answer.status_int
        leads_elsewhere = endpoint is not None and status in REDIRECTS - {endpoint.status}
        if request.method in ("HEAD", "OPTIONS") or status == 304 or leads_elsewhere:
            if answer.body:
                yield "there is a body"
        elif status >= 400:
            yield from self._refusal(endpoint, answer)
        elif endpoint is not None and isinstance(endpoint.returns, str):
            if not answer.content_type:
                yield f"the answer has no Content-Type; set content_type={endpoint.returns!r}"
                return
            declared, _, subtype = endpoint.returns.partition("/")
            got, _, got_subtype = answer.content_type.partition("/")
            if got != declared or subtype not in ("*", got_subtype):
                yield f"the media type is {answer.content_type}, not {endpoint.returns}"
            if got_subtype == "csv":
                yield from _formulas(answer)
        elif endpoint is not None and not (endpoint.has_pages and _is_page(answer)):
            yield from _complaints(self._validator(endpoint, FIELDS in request.GET), answer)
            # The schema of Anything() doesn't describe timestamps.
            if found := _OTHER_TIMESTAMP.search(answer.body):
                yield f"the timestamp {found[0].decode()} is not as Timestamp() dumps it"

    def _refusal(self, endpoint: Endpoint | None, answer: Any) -> Iterator[str]:
        has_page = endpoint is not None and (endpoint.refusal_page or endpoint.form)
        if not (has_page and _is_page(answer)):
            yield from _complaints(self._error, answer)
        if _INSIDES.search(answer.text):
            yield "the message contains internals"

    def _validator(self, endpoint: Endpoint, has_parts: bool) -> Draft202012Validator:
        """Return the validator of an endpoint's answers.

        :param has_parts: whether the request chooses some of the fields.
        """
        key = endpoint.name, has_parts
        if key not in self._validators:
            declared = answer_schema(endpoint)
            self._validators[key] = Draft202012Validator(
                _partial(declared) if has_parts else declared, format_checker=_formats
            )
        return self._validators[key]


def _partial(schema: Any) -> Any:
    """Return the JSON Schema of an answer that may lack members of its object or of its items."""
    if "items" in schema:
        return {**schema, "items": _partial(schema["items"])}
    return {keyword: value for keyword, value in schema.items() if keyword != "required"}


def _is_page(answer: Any) -> bool:
    return bool(answer.content_type == "text/html")


def _takes(method: str) -> Callable[[Any, Any], bool]:
    methods = ("GET", "HEAD") if method == "GET" else (method,)
    return lambda _info, request: request.method in methods


def _caching(endpoint: Endpoint | None, answer: Any) -> Iterator[str]:
    got = answer.headers.get("Cache-Control")
    if endpoint is None or not endpoint.cacheable or answer.status_int not in _KEPT:
        if got != "no-store":
            yield f"Cache-Control is {got!r}, not 'no-store'"
    elif isinstance(endpoint.returns, str):
        if not got:
            yield "Cache-Control is missing"
    elif not _LIFETIME.fullmatch(got or "") or "ETag" not in answer.headers:
        yield f"Cache-Control is {got!r} and ETag {answer.headers.get('ETag')!r}"


def _formulas(answer: Any) -> Iterator[str]:
    for row in csv.reader(io.StringIO(answer.text, newline="")):
        for cell in row:
            if is_formula(cell):
                yield f"spreadsheets evaluate the cell {cell[:50]!r}; write_csv() can escape it"


def _complaints(validator: Draft202012Validator, answer: Any) -> Iterator[str]:
    if answer.headers.get("Content-Type") != "application/json":
        yield f"the media type is {answer.headers.get('Content-Type')}, not application/json"
        return
    for error in validator.iter_errors(orjson.loads(answer.body)):
        yield f"{error.json_path}: {error.message[:200]}"


def _json_of(answer: Any) -> Any:
    if answer.content_type != "application/json" or not answer.body:
        return None
    return orjson.loads(answer.body)
