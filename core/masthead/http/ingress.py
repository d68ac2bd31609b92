"""The outermost layer: checks before the router, and the headers of every response."""

from __future__ import annotations

import logging
import random
from collections.abc import Iterable
from typing import Any
from urllib.parse import unquote_to_bytes
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from masthead.http.environ import REQUEST_ID, HandlingOf, ImmediateAnswer
from masthead.http.observed import observed
from masthead.http.wire import common_headers, error_response
from masthead.telemetry.current import REQUEST

logger = logging.getLogger(__name__)

MAX_PATH = 4_096
MAX_QUERY = 16_384
_PREFLIGHT = ("Access-Control-Max-Age", "86400")
"""Browsers then ask once a day, or as rarely as they can, before requests with a token."""


class Ingress:
    """WSGI middleware that refuses undecodable addresses, answers ``OPTIONS`` and adds headers.

    It turns exceptions into JSON errors. The server calls its attributes ``immediate_answer`` and
    ``handling``.
    """

    def __init__(
        self,
        app: WSGIApplication,
        base_url: str,
        immediate_answer: ImmediateAnswer | None = None,
        handling: HandlingOf | None = None,
    ) -> None:
        self._app = app
        self.immediate_answer = immediate_answer
        self.handling = handling
        self._headers = common_headers(base_url)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        return observed(self._answer, environ, start_response)

    def _answer(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        request_id = f"{random.getrandbits(128):032x}"
        environ[REQUEST_ID] = request_id

        def start(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
            given = {name.lower() for name, _ in headers}
            common = [h for h in self._headers if h[0].lower() not in given]
            return start_response(
                status, [*headers, *common, ("X-Request-Id", request_id)], exc_info
            )

        if environ["REQUEST_METHOD"] == "OPTIONS":
            start("200 OK", [("Content-Length", "0"), ("Cache-Control", "no-store"), _PREFLIGHT])
            return []
        refused = _refusal(environ)
        if refused is not None:
            return _answer(refused, environ, start)
        # A retried request reads its body again; WebOb would otherwise copy it for that.
        environ["webob.is_body_seekable"] = _is_seekable(environ["wsgi.input"])
        former = REQUEST.set(environ)
        try:
            return self._app(environ, start)
        except Exception:
            logger.exception("Request %s failed outside the router", request_id)
            return _answer((500, "Internal server error"), environ, start)
        finally:
            REQUEST.reset(former)


def _is_seekable(body: Any) -> bool:
    # WSGI doesn't require seekable(), and WebTest's wrapper has only seek().
    return bool(body.seekable()) if hasattr(body, "seekable") else hasattr(body, "seek")


def _answer(
    refusal: tuple[int, str], environ: WSGIEnvironment, start: StartResponse
) -> Iterable[bytes]:
    body: Iterable[bytes] = error_response(*refusal)(environ, start)
    return body


def _refusal(environ: WSGIEnvironment) -> tuple[int, str] | None:
    """Return status and message for a request that the router can't process; None if it can."""
    path = environ.get("PATH_INFO", "").encode("latin-1")
    query = environ.get("QUERY_STRING", "")
    if len(path) > MAX_PATH or len(query) > MAX_QUERY:
        return 400, "The address is too long"
    try:
        path.decode()
    except UnicodeDecodeError:
        return 404, "Not found"
    # PostgreSQL accepts no NUL in text.
    if b"\0" in path:
        return 404, "Not found"
    try:
        unquote_to_bytes(query.encode("latin-1")).decode()
    except UnicodeDecodeError:
        return 400, "The query is not UTF-8"
    return None
