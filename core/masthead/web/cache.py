"""The cache of public answers: a layer in front of the router, so that a hit skips Pyramid.

An answer is good as long as the content version is the same and no clock boundary is passed. Only
successful answers of cacheable endpoints enter it (see ``routes.Endpoint.cacheable``); they depend
on the address alone, never on a header or on who asks.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from datetime import datetime
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from cachetools import LRUCache
from sqlalchemy.exc import SQLAlchemyError
from webob.etag import ETagMatcher

from masthead.content.contenttype import content_types_of
from masthead.content.visibility_changes import VisibilityChanges
from masthead.db import utcnow
from masthead.db.content_version import STRICT
from masthead.hookspecs import hookimpl
from masthead.http.endpoints import PLACEHOLDER, Endpoint
from masthead.http.environ import AT_HAND, CACHE_KEY, FILE, TOTALS
from masthead.http.files import send_file
from masthead.http.paging import Totals
from masthead.instance import Instance
from masthead.settings import Setting, integer

SIZE = Setting(
    "masthead.cache.size",
    integer(0, 100_000),
    "32",
    "MiB of public answers that each process keeps in memory.",
    shows=False,
)
_METHODS = ("GET", "HEAD")
_RANGE = "HTTP_RANGE"
_MIB = 1024 * 1024
_SHORT = _MIB // 2  # bytes of a body that the server can take without putting it into a file
_OVERHEAD = 4096


Address = tuple[str, str]
"""Path and query of a request, with parameters that mean nothing."""


@dataclass
class Epoch:
    """A time in which public answers stay what they are."""

    token: str
    """The content version."""
    since: datetime
    """When it was asked for; an earlier clock has been set back."""
    until: datetime | None
    """The next clock boundary."""
    tag: str
    """What the entity tags of the epoch's answers are made of."""
    answers: LRUCache[Address, Answer]
    totals: Totals = dataclass_field(default_factory=Totals)

    def holds(self, token: str, now: datetime) -> bool:
        """Whether it is still this epoch."""
        return token == self.token and self.since <= now and (not self.until or now < self.until)


@dataclass(frozen=True)
class Answer:
    """An answer that is ready to be sent again: bytes, or a file that has its own entity tag."""

    address: Address
    headers: list[tuple[str, str]]
    body: bytes
    etag: str
    file: str | None = None
    """The path of what is sent instead of ``body``."""

    def __len__(self) -> int:
        """Its size in memory, roughly."""
        return len(self.body) + sum(map(len, self.address)) + _OVERHEAD


class Cache:
    """The WSGI layer; answers conditional requests too (RFC 9110 section 13)."""

    def __init__(self, app: WSGIApplication, instance: Instance) -> None:
        self._app = app
        self._instance = instance
        self._visibility_changes = VisibilityChanges(content_types_of(instance))
        self._size = instance.settings[SIZE] * _MIB
        self._fingerprint = _fingerprint(instance)
        self._cacheable = _addresses(instance.endpoints)
        self._lock = threading.Lock()
        self._epoch: Epoch | None = None

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer from memory, or by the router."""
        answer: Answer | None = environ.get(AT_HAND)
        if answer is not None:
            with contextlib.suppress(FileNotFoundError):
                return _send(answer, environ, start_response)
        address = path, _ = environ.get("PATH_INFO", ""), environ.get("QUERY_STRING", "")
        asked = environ["REQUEST_METHOD"] in _METHODS and self._cacheable.fullmatch(path)
        epoch = self._current() if asked else None
        if epoch is None:
            return self._app(environ, start_response)
        answer = self._kept(epoch, address)
        if answer is None or (answer.file and _RANGE in environ):
            return self._ask(environ, start_response, epoch, address)
        try:
            return _send(answer, environ, start_response)
        except FileNotFoundError:
            return self._ask(environ, start_response, epoch, address)

    def at_hand(self, method: str, path: str, query: str) -> Answer | None:
        """The answer to such a request, where nothing has to be waited for; see ``AtHand``."""
        epoch = self._epoch
        if epoch is None or method not in _METHODS:
            return None
        answer = self._kept(epoch, (path, query))
        if answer is None or len(answer.body) > _SHORT:
            return None
        token = self._instance.version.token_at_once()
        return answer if token is not None and epoch.holds(token, utcnow()) else None

    def _kept(self, epoch: Epoch, address: Address) -> Answer | None:
        with self._lock:
            return epoch.answers.get(address)

    def _ask(
        self,
        environ: WSGIEnvironment,
        start_response: StartResponse,
        epoch: Epoch,
        address: Address,
    ) -> Iterable[bytes]:
        """Let the router answer, and keep the answer where it says that it may be kept."""
        method, environ["REQUEST_METHOD"] = environ["REQUEST_METHOD"], "GET"
        if method == "HEAD":
            environ.pop(_RANGE, None)
        environ[TOTALS] = epoch.totals
        started: list[tuple[Any, ...]] = []

        def start(*arguments: Any) -> Any:
            started.append(arguments)

        try:
            body = self._app(environ, start)
        finally:
            environ["REQUEST_METHOD"] = method
        status, headers, *_ = started[0]
        key = environ.get(CACHE_KEY)
        own = dict(headers).get("ETag")
        if key is not None and own and status.startswith("200") and FILE in environ:
            self._keep(epoch, Answer(address, headers, b"", own.strip('"'), environ[FILE]))
        if key is None or own or not status.startswith("200"):
            start_response(*started[0])
            return _without_body(body) if method == "HEAD" else body
        content = b"".join(body)
        etag = hashlib.blake2b(f"{epoch.tag} {key}".encode(), digest_size=16).hexdigest()
        answer = Answer(address, [*headers, ("ETag", f'"{etag}"')], content, etag)
        self._keep(epoch, answer)
        return _send(answer, environ, start_response)

    def _keep(self, epoch: Epoch, answer: Answer) -> None:
        with self._lock, contextlib.suppress(ValueError):  # one that is larger than the cache
            epoch.answers[answer.address] = answer

    def _current(self) -> Epoch | None:
        """The epoch that the request falls into; None where the database can't say."""
        token, now = self._instance.version.token(), utcnow()
        if token is None:
            return None
        epoch = self._epoch
        if epoch is None or not epoch.holds(token, now):
            try:
                epoch = self._epoch = self._begin(token, now)
            except SQLAlchemyError:
                # Such as the missing tables of a plugin that isn't migrated: the router will tell.
                return None
        return epoch

    def _begin(self, token: str, now: datetime) -> Epoch:
        with self._instance.database.read() as connection:
            passed, coming = self._visibility_changes.around(connection, now)
        return Epoch(
            token=token,
            since=now,
            until=coming,
            tag=f"{token} {passed} {self._fingerprint}",
            answers=LRUCache(self._size, len),
        )


def _addresses(endpoints: Iterable[Endpoint]) -> re.Pattern[str]:
    """What the paths of cacheable endpoints look like; others don't wait for the database."""
    paths = [PLACEHOLDER.split(e.path)[::2] for e in endpoints if e.cacheable]
    return re.compile("|".join("[^/]+".join(map(re.escape, parts)) for parts in paths))


def _send(
    answer: Answer, environ: WSGIEnvironment, start_response: StartResponse
) -> Iterable[bytes]:
    asked = environ.get("HTTP_IF_NONE_MATCH")
    if asked is not None and answer.etag in ETagMatcher.parse(asked, strong=False):
        kept = [
            pair for pair in answer.headers if pair[0] not in ("Content-Length", "Content-Type")
        ]
        start_response("304 Not Modified", kept)
        return []
    body: Iterable[bytes] = [answer.body]
    if environ["REQUEST_METHOD"] == "HEAD":
        body = []
    elif answer.file is not None:
        body = send_file(environ, answer.file)
    start_response("200 OK", answer.headers)
    return body


def _without_body(body: Iterable[bytes]) -> Iterable[bytes]:
    close = getattr(body, "close", None)
    if close is not None:
        close()
    return []


def _fingerprint(instance: Instance) -> str:
    """What the answers depend on beside content: settings and software.

    Processes that differ in neither give one answer the same entity tag, wherever they run.
    """
    software = [(plugin.name, plugin.version) for plugin in instance.plugins]
    shown = [s for s in instance.declared.values() if s.shows and not s.secret]
    settings = sorted((s.name, repr(instance.settings[s])) for s in shown)
    return hashlib.blake2b(f"{software} {settings}".encode(), digest_size=16).hexdigest()


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """How much is cached, and how strictly."""
    return [SIZE, STRICT]
