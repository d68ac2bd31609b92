"""The headers for shared caches, such as Varnish or a CDN: how long they keep an answer, its keys.

It wraps the cache of answers, because the time depends on the moment of sending: an answer is kept
no longer than until the next visibility change, which no write announces. An answer without the
headers, for example one of before an outage of the database, is asked for again by each request.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from masthead.db import utcnow
from masthead.hookspecs import hookimpl
from masthead.http.environ import READ_ROW, READ_TABLES, VALID_UNTIL
from masthead.instance import Instance
from masthead.settings import Setting, choice, integer, words
from masthead.web.cache import STALE_IF_ERROR
from masthead.web.cache_keys import CacheKeys

Headers = list[tuple[str, str]]
_YEAR = 31_536_000
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]*")
_COMMAS = ("cache-tag", "edge-cache-tag")
"""The headers whose keys are separated by commas."""
_SLOW = 2.0
"""The seconds after which an answer isn't kept. A purge is repeated some seconds after a change, so
that it meets answers from before the change that arrive late."""
_PLAIN = ("Cache-Control", "no-cache")


def _names(value: str) -> tuple[str, ...]:
    """Parse names of headers.

    :raises ValueError: for a word that can't be one.
    """
    found = words(value)
    if not all(_NAME.fullmatch(word) for word in found):
        raise ValueError("names of headers, such as Surrogate-Key Cache-Tag")
    return found


S_MAXAGE = Setting(
    "masthead.cache.s_maxage",
    integer(0, _YEAR),
    "0",
    "Seconds for which shared caches, such as a CDN, may keep a public answer, but not beyond the"
    " next scheduled change; 0 means that they ask for each request.",
    shows=False,
)
STALE_WHILE_REVALIDATE = Setting(
    "masthead.cache.stale_while_revalidate",
    integer(0, _YEAR),
    "0",
    "Seconds after masthead.cache.s_maxage for which a shared cache may send an answer while it"
    " asks for a new one.",
    shows=False,
)
LIFETIME_HEADER = Setting(
    "masthead.cache.lifetime_header",
    choice("cache-control", "cdn-cache-control", "surrogate-control"),
    "cache-control",
    "The header with these times. CDN-Cache-Control (RFC 9213) and Surrogate-Control are for CDNs"
    " only, and Cache-Control stays no-cache.",
    shows=False,
)
KEY_HEADERS = Setting(
    "masthead.cache.key_headers",
    _names,
    "",
    "The headers with the keys of a public answer, by which a CDN purges it, separated by blanks:"
    " Surrogate-Key for Fastly and Varnish, Cache-Tag for Cloudflare; blank for none.",
    shows=False,
)


class SharedCaches:
    """The middleware."""

    def __init__(self, app: WSGIApplication, instance: Instance) -> None:
        self._app = app
        settings = instance.settings
        self._seconds = settings[S_MAXAGE]
        self._revalidate = settings[STALE_WHILE_REVALIDATE]
        self._if_error = settings[STALE_IF_ERROR]
        self._lifetime_header = settings[LIFETIME_HEADER].title().replace("Cdn", "CDN")
        self._key_headers = settings[KEY_HEADERS]
        self._keys = instance.shared(CacheKeys)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Call the cache, and add the headers to a response that may be kept."""
        began = time.monotonic()

        def start(status: str, headers: Headers, *rest: Any) -> Any:
            if READ_TABLES in environ and ("Cache-Control", "no-store") not in headers:
                headers = [*self._lifetime(environ, headers, began), *self._key_lines(environ)]
            return start_response(status, headers, *rest)

        return self._app(environ, start)

    def _lifetime(self, environ: WSGIEnvironment, headers: Headers, began: float) -> Headers:
        """Return the headers with the time for which shared caches may keep the response."""
        if _PLAIN not in headers or VALID_UNTIL not in environ:
            return headers
        until, seconds, revalidate = environ[VALID_UNTIL], self._seconds, self._revalidate
        if until is not None:
            left = int((until - utcnow()).total_seconds())
            seconds = min(seconds, left)
            revalidate = min(revalidate, left - seconds)
        if seconds < 1 or time.monotonic() - began > _SLOW:
            return headers
        stale = {"stale-while-revalidate": revalidate, "stale-if-error": self._if_error}
        further = "".join(f", {name}={value}" for name, value in stale.items() if value)
        if self._lifetime_header != "Cache-Control":
            return [*headers, (self._lifetime_header, f"max-age={seconds}{further}")]
        others = [pair for pair in headers if pair != _PLAIN]
        return [*others, ("Cache-Control", f"max-age=0, s-maxage={seconds}{further}")]

    def _key_lines(self, environ: WSGIEnvironment) -> Headers:
        if not self._key_headers:
            return []
        keys = self._keys.of_answer(environ[READ_TABLES], environ.get(READ_ROW))
        return [
            (name, ("," if name.lower() in _COMMAS else " ").join(keys))
            for name in self._key_headers
        ]


def with_shared_caches(app: WSGIApplication, instance: Instance) -> WSGIApplication:
    """Return the application with the middleware, if a setting needs it."""
    wanted = instance.settings[S_MAXAGE] or instance.settings[KEY_HEADERS]
    return SharedCaches(app, instance) if wanted else app


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Declare the settings of shared caches."""
    return [S_MAXAGE, STALE_WHILE_REVALIDATE, LIFETIME_HEADER, KEY_HEADERS]
