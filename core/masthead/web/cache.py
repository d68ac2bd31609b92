"""The cache of public answers: WSGI middleware before the router, so that a hit skips Pyramid.

An answer is valid until the content version changes or the next visibility change comes, a time at
which public content changes without a write. Only successful answers of cacheable endpoints are
stored (see ``Endpoint.cacheable``); they depend on the address alone, not on headers or the caller.

While the database is away, stored answers are sent for some time after the content version was last
read, with that age. Nothing is sent that this process itself has outdated by a write.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
import threading
from collections.abc import Iterable
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from datetime import datetime, timedelta
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from cachetools import LRUCache
from sqlalchemy import delete, event, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from masthead.content.contenttype import content_types_of
from masthead.content.due_edits import DueEdits
from masthead.content.visibility_changes import VisibilityChanges
from masthead.db import utcnow
from masthead.db.content_version import STRICT, changed_at
from masthead.db.locking import lock
from masthead.db.once import OnceMarker
from masthead.hookspecs import hookimpl
from masthead.http.endpoints import PLACEHOLDER, Endpoint
from masthead.http.environ import CACHE_KEY, CONTENT_VERSION, FILE, IMMEDIATE_ANSWER, ROUTE, TOTALS
from masthead.http.files import send_file
from masthead.http.paging import Totals
from masthead.instance import Instance
from masthead.settings import Setting, integer
from masthead.telemetry.metrics import OTHER, Counter, Gauge, add_sampler
from masthead.web.conditional import http_date, is_unchanged

SIZE = Setting(
    "masthead.cache.size",
    integer(0, 100_000),
    "32",
    "Size of the in-memory cache of public answers in MiB, per process.",
    shows=False,
)
_ANSWERED = Counter(
    "masthead_cache_requests",
    "Requests for public answers: hit for one in the cache, miss for another; while the database"
    " doesn't say whether the cache is valid, stale for one in the cache, unavailable for another.",
    ("result",),
)
_BYTES = Gauge("masthead_cache_bytes", "Memory of the cached answers of all processes.")
STALE_IF_ERROR = Setting(
    "masthead.cache.stale_if_error",
    integer(0, 86_400),
    "600",
    "Seconds after the last contact with the database for which cached public answers are sent"
    " while it can't be reached; 0 means never.",
    shows=False,
)
_SETTLING = timedelta(seconds=3)
"""The time after a change in which answers have no date.

A date has only seconds. So a client could have an earlier answer of the same second, perhaps from
another process, which notices changes later.
"""
_ANSWERS = "answers"
"""The kind of the one :class:`OnceMarker` row whose name is the fingerprint of the answers."""
_METHODS = ("GET", "HEAD")
_RANGE = "HTTP_RANGE"
_MIB = 1024 * 1024
_MAX_IMMEDIATE = _MIB // 2  # bytes of a body that the server buffers in memory
_OVERHEAD = 4096


Address = tuple[str, str]
"""Path and query of a request, including ignored parameters."""


@dataclass
class CacheGeneration:
    """The cached answers of a period in which public answers don't change."""

    token: str
    """The content version."""
    since: datetime
    """The start of the period; an earlier time means that the clock has been set back."""
    until: datetime | None
    """The time of the next change, or from which answers have a date."""
    tag: str
    """The common input of the answers' entity tags."""
    changed_at: datetime | None
    """A time since which nothing has changed, to the second; None soon after a change."""
    answers: LRUCache[Address, Answer]
    totals: Totals = dataclass_field(default_factory=Totals)

    def is_valid(self, token: str, now: datetime) -> bool:
        """Whether its answers are valid for this content version at this time."""
        return token == self.token and self.since <= now and (not self.until or now < self.until)


@dataclass(frozen=True)
class Answer:
    """A cached answer: bytes, or a file with its own entity tag."""

    address: Address
    headers: list[tuple[str, str]]
    body: bytes
    etag: str
    file: str | None = None
    """The path of the file that is sent instead of ``body``."""
    changed_at: datetime | None = None
    """The time with which ``If-Modified-Since`` is compared; None to ignore that header."""
    route: str = OTHER
    """The name of the endpoint."""
    age: int | None = None
    """The seconds since it was known to be valid, if the database is away since then."""

    def __len__(self) -> int:
        """Return its approximate size in memory."""
        return len(self.body) + sum(map(len, self.address)) + _OVERHEAD


class Cache:
    """The middleware; it also answers conditional requests (RFC 9110 section 13)."""

    def __init__(self, app: WSGIApplication, instance: Instance) -> None:
        self._app = app
        self._instance = instance
        self._visibility_changes = VisibilityChanges(content_types_of(instance))
        self._due_edits = instance.shared(DueEdits)
        self._size = instance.settings[SIZE] * _MIB
        self._stale_seconds = instance.settings[STALE_IF_ERROR]
        self._outage = instance.database.outage
        self._fingerprint = _fingerprint(instance)
        self._cacheable = _addresses(instance.endpoints)
        self._lock = threading.Lock()
        self._generation: CacheGeneration | None = None
        event.listen(instance.database.engine, "engine_disposed", self._drop)
        add_sampler(self._sample)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer from the cache or call the router."""
        answer: Answer | None = environ.get(IMMEDIATE_ANSWER)
        if answer is not None:
            with contextlib.suppress(FileNotFoundError):
                return self._send_cached(answer, environ, start_response)
        address = path, _ = environ.get("PATH_INFO", ""), environ.get("QUERY_STRING", "")
        asked = environ["REQUEST_METHOD"] in _METHODS and self._cacheable.fullmatch(path)
        generation = self._current() if asked else None
        if generation is None:
            with contextlib.suppress(FileNotFoundError):
                if asked and (answer := self._outdated(address)) is not None:
                    return self._send_cached(answer, environ, start_response)
            if asked:
                _ANSWERED.add("unavailable")
                environ[CONTENT_VERSION] = ""
            return self._app(environ, start_response)
        answer = self._lookup(generation, address)
        if answer is None or (answer.file and _RANGE in environ):
            return self._ask_router(environ, start_response, generation, address)
        try:
            return self._send_cached(answer, environ, start_response)
        except FileNotFoundError:
            return self._ask_router(environ, start_response, generation, address)

    def immediate_answer(self, method: str, path: str, query: str) -> Answer | None:
        """Return the cached answer if checking it needs no waiting; see ``ImmediateAnswer``."""
        generation = self._generation
        if generation is None or method not in _METHODS:
            return None
        answer = self._lookup(generation, (path, query))
        if answer is None or len(answer.body) > _MAX_IMMEDIATE:
            return None
        if self._outage.is_open:
            return self._outdated((path, query))
        token = self._instance.version.token_nowait()
        return answer if token is not None and generation.is_valid(token, utcnow()) else None

    def _send_cached(
        self, answer: Answer, environ: WSGIEnvironment, start_response: StartResponse
    ) -> Iterable[bytes]:
        body = _send(answer, environ, start_response)
        environ[ROUTE] = answer.route
        if answer.age is None:
            _ANSWERED.add("hit")
        else:
            self._outage.count_cached()
            _ANSWERED.add("stale")
        return body

    def _lookup(self, generation: CacheGeneration, address: Address) -> Answer | None:
        with self._lock:
            return generation.answers.get(address)

    def _outdated(self, address: Address) -> Answer | None:
        """Return the stored answer with its age, if it may be sent while the database is away."""
        generation = self._generation
        token, age = self._instance.version.last()
        if generation is None or generation.token != token or age > self._stale_seconds:
            return None
        answer = self._lookup(generation, address)
        if answer is None:
            return None
        headers = [*answer.headers, ("Age", str(int(age)))]
        return replace(answer, headers=headers, age=int(age))

    def _ask_router(
        self,
        environ: WSGIEnvironment,
        start_response: StartResponse,
        generation: CacheGeneration,
        address: Address,
    ) -> Iterable[bytes]:
        """Call the router, and store its answer if it is cacheable."""
        _ANSWERED.add("miss")
        method, environ["REQUEST_METHOD"] = environ["REQUEST_METHOD"], "GET"
        if method == "HEAD":
            environ.pop(_RANGE, None)
        environ[TOTALS], environ[CONTENT_VERSION] = generation.totals, generation.token
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
            self._store(generation, _file_answer(environ, address, headers, own))
        if key is None or own or not status.startswith("200"):
            start_response(*started[0])
            return _without_body(body) if method == "HEAD" else body
        content = b"".join(body)
        etag = hashlib.blake2b(f"{generation.tag} {key}".encode(), digest_size=16).hexdigest()
        headers, changed = [*headers, ("ETag", f'"{etag}"')], generation.changed_at
        is_json = _is_json(headers)
        if changed and not is_json:
            # Feed readers and crawlers often know no entity tags.
            headers.append(("Last-Modified", http_date(changed)))
        changed, route = None if is_json else changed, environ.get(ROUTE, OTHER)
        answer = Answer(address, headers, content, etag, changed_at=changed, route=route)
        self._store(generation, answer)
        return _send(answer, environ, start_response)

    def _store(self, generation: CacheGeneration, answer: Answer) -> None:
        with self._lock, contextlib.suppress(ValueError):  # one that is larger than the cache
            generation.answers[answer.address] = answer

    def _current(self) -> CacheGeneration | None:
        """Return the current generation; None if the database doesn't answer."""
        token, now = self._instance.version.token(), utcnow()
        if token is None:
            return None
        generation = self._generation
        if generation is None or not generation.is_valid(token, now):
            try:
                begun = self._begin(token, now)
                if generation is not None and generation.tag == begun.tag:
                    self._take_over(generation, begun)
                generation = self._generation = begun
            except SQLAlchemyError:
                # For example missing tables of an unmigrated plugin; the router reports the error.
                return None
        return generation

    def _take_over(self, former: CacheGeneration, begun: CacheGeneration) -> None:
        """Keep the answers that have no date: the generations differ in nothing else."""
        with self._lock:
            for answer in list(former.answers.values()):
                if answer.file or _is_json(answer.headers):
                    begun.answers[answer.address] = answer

    def _begin(self, token: str, now: datetime) -> CacheGeneration:
        if self._due_edits.publish():
            token = self._instance.version.token() or token
        with self._instance.database.read() as connection:
            passed, coming = self._visibility_changes.around(connection, now)
            edits = self._due_edits.next_time(connection, now)
            written = changed_at(connection)
        last = max(filter(None, (written, passed)), default=None)
        settled = last + _SETTLING if last and last + _SETTLING > now else None
        return CacheGeneration(
            token=token,
            since=now,
            until=min(filter(None, (coming, edits, settled)), default=None),
            tag=f"{token} {passed} {self._fingerprint}",
            changed_at=None if settled else _unchanged_since(written, passed, now),
            answers=LRUCache(self._size, len),
        )

    def _sample(self) -> None:
        generation = self._generation
        _BYTES.set(generation.answers.currsize if generation is not None else 0)

    def _drop(self, _engine: object) -> None:
        """Drop all answers when the instance is closed: it may get another database."""
        self._generation = None


def _file_answer(
    environ: WSGIEnvironment, address: Address, headers: list[tuple[str, str]], etag: str
) -> Answer:
    route = environ.get(ROUTE, OTHER)
    return Answer(address, headers, b"", etag.strip('"'), environ[FILE], route=route)


def _unchanged_since(written: datetime | None, passed: datetime | None, now: datetime) -> datetime:
    """Return a time since which nothing has changed, to the second.

    :param passed: the last visibility change. It may be a time in hidden content, so a time between
        it and ``now`` stands for it; not ``now`` itself, because a change may follow at once.
    """
    is_known = written is not None and (passed is None or passed <= written)
    moment = written if written and is_known else now - _SETTLING + timedelta(seconds=1)
    return moment.replace(microsecond=0)


def _addresses(endpoints: Iterable[Endpoint]) -> re.Pattern[str]:
    """Return a pattern of the paths of cacheable endpoints; others need no database query."""
    paths = [PLACEHOLDER.split(e.path)[::2] for e in endpoints if e.cacheable]
    return re.compile("|".join("[^/]+".join(map(re.escape, parts)) for parts in paths))


def _send(
    answer: Answer, environ: WSGIEnvironment, start_response: StartResponse
) -> Iterable[bytes]:
    if is_unchanged(environ, answer.etag, answer.changed_at):
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


def _is_json(headers: list[tuple[str, str]]) -> bool:
    return dict(headers).get("Content-Type", "").startswith("application/json")


def _without_body(body: Iterable[bytes]) -> Iterable[bytes]:
    close = getattr(body, "close", None)
    if close is not None:
        close()
    return []


def note_fingerprint(session: Session, instance: Instance) -> None:
    """Replace the content version if settings or software have changed since the last start.

    It is safe to call this at every start.
    """
    lock(session, "answers")
    fingerprint = _fingerprint(instance)
    known = list(session.scalars(select(OnceMarker.name).where(OnceMarker.kind == _ANSWERS)))
    if known != [fingerprint]:
        session.execute(delete(OnceMarker).where(OnceMarker.kind == _ANSWERS))
        session.add(OnceMarker(kind=_ANSWERS, name=fingerprint))


def _fingerprint(instance: Instance) -> str:
    """Return a hash of the settings and software versions on which answers depend.

    Processes with the same settings and software give equal answers the same entity tag.
    """
    software = [(plugin.name, plugin.version) for plugin in instance.plugins]
    shown = [s for s in instance.declared.values() if s.shows and not s.secret]
    settings = sorted((s.name, repr(instance.settings[s])) for s in shown)
    return hashlib.blake2b(f"{software} {settings}".encode(), digest_size=16).hexdigest()


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Declare the settings of the cache."""
    return [SIZE, STRICT, STALE_IF_ERROR]
