"""The metrics and the span of each request."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from masthead.http.environ import ROUTE
from masthead.telemetry import tracing
from masthead.telemetry.metrics import OTHER, Counter, Histogram

REQUESTS = Histogram(
    "masthead_http_request_duration_seconds",
    "Time until the answer to a request was ready, by endpoint, method and status.",
    ("route", "method", "status"),
)
RETRIED = Counter(
    "masthead_http_request_retries",
    "Attempts of requests that were repeated after a conflict of transactions.",
    ("route",),
)
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_CONTINUE = "100"


def observed(
    app: WSGIApplication, environ: WSGIEnvironment, start_response: StartResponse
) -> Iterable[bytes]:
    """Call the application, with a span and an entry in the histogram of requests if these are on.

    The time ends when the application returns. Sending the answer depends on the client.
    """
    if tracing.is_on():
        return _traced(app, environ, start_response)
    if REQUESTS.is_on:
        return _measured(app, environ, start_response)
    return app(environ, start_response)


def _measured(
    app: WSGIApplication, environ: WSGIEnvironment, start_response: StartResponse
) -> Iterable[bytes]:
    began, status = time.perf_counter(), "500"

    def start(given: str, *rest: Any) -> Any:
        nonlocal status
        status = given[:3]
        return start_response(given, *rest)

    try:
        return app(environ, start)
    finally:
        # A check of the head that asks for the body is no answer yet.
        if status != _CONTINUE:
            method = environ["REQUEST_METHOD"]
            REQUESTS.observe(
                time.perf_counter() - began,
                environ.get(ROUTE, OTHER),
                method if method in _METHODS else OTHER,
                status,
            )


def _traced(
    app: WSGIApplication, environ: WSGIEnvironment, start_response: StartResponse
) -> Iterable[bytes]:
    method = environ["REQUEST_METHOD"]
    method = method if method in _METHODS else "_OTHER"
    sent = {
        name: environ[key]
        for name, key in (("traceparent", "HTTP_TRACEPARENT"), ("tracestate", "HTTP_TRACESTATE"))
        if key in environ
    }
    with tracing.span(method, "server", sent, http__request__method=method) as span:

        def start(given: str, *rest: Any) -> Any:
            span.set_attribute("http.response.status_code", int(given[:3]))
            return start_response(given, *rest)

        body = _measured(app, environ, start)
        if ROUTE in environ:
            span.set_attribute("masthead.endpoint", environ[ROUTE])
            span.update_name(f"{method} {environ[ROUTE]}")
        return body
