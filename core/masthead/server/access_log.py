"""The access log: one line per request; client input is escaped, so it can't forge lines."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote_plus

from masthead.http.environ import REQUEST_ID, ROUTE, USER, USER_ID
from masthead.telemetry.log_formats import ACCESS

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

logger = logging.getLogger("masthead.access")

# The characters that RFC 3986 allows in path and query, except the apostrophe; "%" keeps escapes.
_SAFE = "/:@!$&()*+,;=~?%"
_PLAIN = re.compile(rf"[\w.\-{re.escape(_SAFE)}]*", re.ASCII)
_SECRET = re.compile("token|password|secret|^code$", re.IGNORECASE)
"""The names of parameters with secrets; ``code`` is the authorization code of OAuth 2.0."""
_MAX_TARGET = 2000


def access_log(app: WSGIApplication, secret_paths: tuple[str, ...] = ()) -> WSGIApplication:
    """Wrap ``app`` and log each request when its response is complete.

    The application adds the user and the request id to the environ, see ``masthead.http.environ``.

    :param secret_paths: see :func:`redact_path`.
    """

    def logged(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if not logger.isEnabledFor(logging.INFO):
            return app(environ, start_response)
        exchange = Exchange(environ, secret_paths)

        def start(status: str, headers: list[tuple[str, str]], *exc_info: Any) -> Any:
            exchange.start(status, headers)
            return start_response(status, headers, *exc_info)

        try:
            body = app(environ, start)
        except BaseException:
            exchange.fail()
            raise
        return exchange.follow(body)

    return logged


class Exchange:
    """A request and the known parts of its response."""

    def __init__(self, environ: WSGIEnvironment, secret_paths: tuple[str, ...]) -> None:
        self.environ = environ
        self.secret_paths = secret_paths
        self.began = time.perf_counter()
        self.status = "500"
        self.length: str | None = None
        self.request_id: str | None = None

    def start(self, status: str, headers: list[tuple[str, str]]) -> None:
        """Record the status and headers of the response."""
        self.status = status[:3]
        for name, value in headers:
            if name.lower() == "x-request-id":
                self.request_id = value
            elif name.lower() == "content-length":
                self.length = value

    def follow(self, body: Iterable[bytes]) -> Iterable[bytes]:
        """Log now if the length of ``body`` is known, otherwise at its end."""
        if isinstance(body, list | tuple):
            self.log(str(sum(map(len, body))))
            return body
        # The server recognises a file by its class and sends it itself.
        file_wrapper = self.environ.get("wsgi.file_wrapper")
        if isinstance(file_wrapper, type) and isinstance(body, file_wrapper):
            self.log(self.length or "-")
            return body
        return _Followed(self, body)

    def fail(self) -> None:
        """Log a request for which the application raised."""
        self.status = "500"
        self.log("-")

    def log(self, size: str) -> None:
        """Write the line; ``size`` is the number of bytes in the body.

        A check of the head that asks for the body is no response yet.
        """
        if self.status == "100":
            return
        environ = self.environ
        path = environ.get("SCRIPT_NAME", "") + environ.get("PATH_INFO", "")
        # WSGI passes bytes as Latin-1 text (PEP 3333).
        target = quote(redact_path(path, self.secret_paths), "/:@", encoding="latin-1")
        Entry(
            client=environ.get("REMOTE_ADDR") or "-",
            user=environ.get(USER),
            method=environ["REQUEST_METHOD"],
            target=target + redact_query(environ.get("QUERY_STRING", "")),
            status=self.status,
            size=size,
            seconds=time.perf_counter() - self.began,
            request_id=self.request_id or environ.get(REQUEST_ID),
            user_id=environ.get(USER_ID),
            route=environ.get(ROUTE),
        ).write()


class _Followed:
    """A body that counts its bytes and logs the request when the server closes it."""

    def __init__(self, exchange: Exchange, body: Iterable[bytes]) -> None:
        self._exchange = exchange
        self._body = body
        self._chunks = iter(body)
        self._size = 0

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        try:
            chunk = next(self._chunks)
        except StopIteration:
            raise
        except BaseException:
            self._exchange.status = "500"
            raise
        self._size += len(chunk)
        return chunk

    def close(self) -> None:
        try:
            close = getattr(self._body, "close", None)
            if close is not None:
                close()
        finally:
            self._exchange.log(str(self._size))


@dataclass(frozen=True, kw_only=True)
class Entry:
    """The values of one line."""

    client: str
    method: str
    target: str
    status: str
    size: str
    """The number of bytes in the body."""
    seconds: float
    request_id: str | None
    user: str | None = None
    user_id: int | None = None
    route: str | None = None
    """The name of the endpoint."""

    def write(self) -> None:
        """Log client, user, request, status, bytes, milliseconds, request id."""
        logger.info(
            '%s %s "%s %s" %s %s %.1fms %s',
            escape(self.client),
            escape(self.user or "-"),
            escape(self.method),
            escape(self.target)[:_MAX_TARGET],
            self.status,
            self.size,
            self.seconds * 1000,
            escape(self.request_id or "-"),
            extra={ACCESS: self.fields},
        )

    def fields(self) -> dict[str, Any]:
        """Return the values as fields of a line of JSON."""
        found = {
            "client": escape(self.client),
            "user": self.user and escape(self.user),
            "user_id": self.user_id,
            "method": escape(self.method),
            "target": escape(self.target)[:_MAX_TARGET],
            "route": self.route,
            "status": int(self.status),
            "bytes": int(self.size) if self.size.isdecimal() else None,
            "duration_ms": round(self.seconds * 1000, 1),
            "request_id": self.request_id and escape(self.request_id),
        }
        return {name: value for name, value in found.items() if value is not None}


def escape(value: str) -> str:
    """Percent-encode characters that end a line or a field, and all non-ASCII characters."""
    return value if _PLAIN.fullmatch(value) else quote(value, safe=_SAFE)


def redact_path(path: str, secret_paths: tuple[str, ...]) -> str:
    """Return the path for logs, with a secret at its end replaced.

    Repeated slashes count as one, so they can't hide a secret path.

    :param secret_paths: prefixes of paths whose remainder is a secret.
    """
    plain = re.sub("/+", "/", path) if "//" in path else path
    if not plain.startswith(secret_paths):
        return path
    return next(start for start in secret_paths if plain.startswith(start)) + ":secret"


def redact_query(query: str) -> str:
    """Return ``?`` and the query without the values of secret parameters; blank if it is empty."""
    if not query:
        return ""
    return "?" + "&".join(_redacted(pair) for pair in query.split("&"))


def _redacted(pair: str) -> str:
    name, equals, _ = pair.partition("=")
    return f"{name}=***" if equals and _SECRET.search(unquote_plus(name)) else pair
