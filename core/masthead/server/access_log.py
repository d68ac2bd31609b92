"""The access log: one line per request, which nothing a client sends can forge."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote_plus

from masthead.http.environ import REQUEST_ID, USER

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

logger = logging.getLogger("masthead.access")

# What RFC 3986 allows in path and query, without the apostrophe; "%" keeps escapes as they came.
_SAFE = "/:@!$&()*+,;=~?%"
_PLAIN = re.compile(rf"[\w.\-{re.escape(_SAFE)}]*", re.ASCII)
_SECRET = re.compile("token|password|secret", re.IGNORECASE)
_MAX_TARGET = 2000


def access_log(app: WSGIApplication, secret_paths: tuple[str, ...] = ()) -> WSGIApplication:
    """Wrap ``app`` so that each request is logged once its answer is known.

    The application may say more in the environ, see ``masthead.http.environ``.

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
    """A request and what is known of its answer."""

    def __init__(self, environ: WSGIEnvironment, secret_paths: tuple[str, ...]) -> None:
        self.environ = environ
        self.secret_paths = secret_paths
        self.began = time.perf_counter()
        self.status = "500"
        self.length: str | None = None
        self.request_id: str | None = None

    def start(self, status: str, headers: list[tuple[str, str]]) -> None:
        """Note the head of the answer."""
        self.status = status[:3]
        for name, value in headers:
            if name.lower() == "x-request-id":
                self.request_id = value
            elif name.lower() == "content-length":
                self.length = value

    def follow(self, body: Iterable[bytes]) -> Iterable[bytes]:
        """Log now if the length of ``body`` is known, else when it ends."""
        if isinstance(body, list | tuple):
            self.log(str(sum(map(len, body))))
            return body
        # The server sends such a file itself, and knows it by its class.
        file_wrapper = self.environ.get("wsgi.file_wrapper")
        if isinstance(file_wrapper, type) and isinstance(body, file_wrapper):
            self.log(self.length or "-")
            return body
        return _Followed(self, body)

    def fail(self) -> None:
        """Log that the application raised."""
        self.status = "500"
        self.log("-")

    def log(self, size: str) -> None:
        """Write the line; ``size`` is the number of bytes of the body."""
        environ = self.environ
        path = environ.get("SCRIPT_NAME", "") + environ.get("PATH_INFO", "")
        # Latin-1 is how WSGI wraps bytes (PEP 3333).
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
        ).write()


class _Followed:
    """A body that counts its bytes, and logs its request when the server has done with it."""

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
    """What one line says."""

    client: str
    method: str
    target: str
    status: str
    size: str
    """Bytes of the answer's body."""
    seconds: float
    request_id: str | None
    user: str | None = None

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
        )


def escape(value: str) -> str:
    """Percent-encode what could end a line or a field, or isn't ASCII."""
    return value if _PLAIN.fullmatch(value) else quote(value, safe=_SAFE)


def redact_path(path: str, secret_paths: tuple[str, ...]) -> str:
    """The path as logs show it, however many slashes stand where one belongs.

    :param secret_paths: beginnings of paths whose rest is a secret.
    """
    plain = re.sub("/+", "/", path) if "//" in path else path
    if not plain.startswith(secret_paths):
        return path
    return next(start for start in secret_paths if plain.startswith(start)) + ":secret"


def redact_query(query: str) -> str:
    """The query string, led by ``?`` unless empty, without the values of secret parameters."""
    if not query:
        return ""
    return "?" + "&".join(_redacted(pair) for pair in query.split("&"))


def _redacted(pair: str) -> str:
    name, equals, _ = pair.partition("=")
    return f"{name}=***" if equals and _SECRET.search(unquote_plus(name)) else pair
