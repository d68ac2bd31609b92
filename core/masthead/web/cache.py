"""The cache of public answers: WSGI middleware before the router, so that a hit skips Pyramid.

An answer is valid until a table changes that it was read from, or the next visibility change of
that table comes, a time at which public content changes without a write. As long as the content
version stays, no table has changed. Only successful answers of cacheable endpoints are stored (see
``Endpoint.cacheable``); they depend on the address alone, not on headers or the caller.

Of simultaneous requests for an address that isn't in the cache, one calls the router.

While the database is away, stored answers are sent for some time after the content version was last
read, with that age. Nothing is sent that this process itself has outdated by a write.
"""

from __future__ import annotations

import contextlib
import re
import threading
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from cachetools import LRUCache
from sqlalchemy import event
from sqlalchemy.exc import SQLAlchemyError

from masthead.content.contenttype import content_types_of
from masthead.content.due_edits import DueEdits
from masthead.content.visibility_changes import VisibilityChanges
from masthead.db import utcnow
from masthead.db.content_version import PATIENCE, STRICT
from masthead.db.read_tables import noted_reads
from masthead.hookspecs import hookimpl
from masthead.http.endpoints import PLACEHOLDER, Endpoint
from masthead.http.environ import (
    CACHE_KEY,
    CONTENT_VERSION,
    FILE,
    IMMEDIATE_ANSWER,
    READ_ROW,
    READ_TABLES,
    ROUTE,
    TOTALS,
    VALID_UNTIL,
)
from masthead.http.paging import Totals
from masthead.instance import Instance
from masthead.settings import Setting, integer
from masthead.telemetry.metrics import OTHER, Counter, Gauge, add_sampler
from masthead.web.answers import (
    Address,
    Answer,
    Headers,
    entity_tag,
    is_json,
    send,
    without_body,
)
from masthead.web.collapsing import Flights
from masthead.web.encodings import Encodings
from masthead.web.generation import Generation

SIZE = Setting(
    "masthead.cache.size",
    integer(0, 100_000),
    "32",
    "Size of the in-memory cache of public answers in MiB, per process.",
    shows=False,
)
_ANSWERED = Counter(
    "masthead_cache_requests",
    "Requests for public answers: hit for one in the cache, coalesced for one that another request"
    " was computing, miss for another; while the database doesn't say whether the cache is valid,"
    " stale for one in the cache, unavailable for another.",
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
_PATIENCE = 1.0
"""The seconds that requests wait for the answer to another request for the same address."""
_METHODS = ("GET", "HEAD")
_RANGE = "HTTP_RANGE"
_VARY = (("Vary", "Accept-Encoding"),)
_MIB = 1024 * 1024
_MAX_IMMEDIATE = _MIB // 2  # bytes of a body that the server buffers in memory


class Cache:
    """The middleware; it also answers conditional requests (RFC 9110 section 13)."""

    def __init__(self, app: WSGIApplication, instance: Instance) -> None:
        self._app = app
        self._instance = instance
        self._visibility_changes = VisibilityChanges(content_types_of(instance))
        self._due_edits = instance.shared(DueEdits)
        self._stale_seconds = instance.settings[STALE_IF_ERROR]
        self._outage = instance.database.outage
        self._cacheable = _addresses(instance.endpoints)
        self._encodings = Encodings(instance.settings)
        self._lock = threading.Lock()
        self._answers: LRUCache[Address, Answer] = LRUCache(instance.settings[SIZE] * _MIB, len)
        self._totals: dict[Any, Any] = {}
        self._flights: Flights[Answer] = Flights(_PATIENCE)
        self._renewing = threading.Lock()
        self._generation: Generation | None = None
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
            return self._share_miss(environ, start_response, generation, address)
        try:
            return self._send_cached(answer, environ, start_response)
        except FileNotFoundError:
            return self._share_miss(environ, start_response, generation, address)

    def immediate_answer(
        self, method: str, path: str, query: str, accepted: str = ""
    ) -> Answer | None:
        """Return the cached answer if sending it needs no waiting; see ``ImmediateAnswer``."""
        generation = self._generation
        if generation is None or method not in _METHODS:
            return None
        answer = self._lookup(generation, (path, query))
        if answer is None or not _is_at_hand(answer, self._coding(answer, accepted)):
            return None
        if self._outage.is_open:
            return self._outdated((path, query))
        token = self._instance.version.token_nowait()
        return answer if token is not None and generation.is_valid(token, utcnow()) else None

    def _send_cached(
        self,
        answer: Answer,
        environ: WSGIEnvironment,
        start_response: StartResponse,
        result: str = "hit",
    ) -> Iterable[bytes]:
        environ[ROUTE], environ[READ_TABLES] = answer.route, answer.tables
        environ[READ_ROW], generation = answer.row, self._generation
        if answer.age is None and generation and answer.checked_in == generation.number:
            environ[VALID_UNTIL] = generation.until
        body = self._send(answer, environ, start_response)
        if answer.age is None:
            _ANSWERED.add(result)
        else:
            self._outage.count_cached()
            _ANSWERED.add("stale")
        return body

    def _send(
        self, answer: Answer, environ: WSGIEnvironment, start_response: StartResponse
    ) -> Iterable[bytes]:
        accepted = "" if _RANGE in environ else environ.get("HTTP_ACCEPT_ENCODING", "")
        coding = self._coding(answer, accepted)
        if coding and coding not in answer.compressed:
            compress = partial(self._encodings.compress, body=answer.body)
            answer.compressed.make(coding, compress)
            with self._lock, contextlib.suppress(ValueError):
                # Storing it again counts its new size.
                stored = self._answers.get(answer.address)
                if stored is not None and stored.compressed is answer.compressed:
                    self._answers[answer.address] = stored
        return send(answer, environ, start_response, coding)

    def _coding(self, answer: Answer, accepted: str) -> str:
        """Return the content coding in which an answer is sent; blank for none."""
        if not answer.may_compress:
            return ""
        return self._encodings.choose(accepted, len(answer.body))

    def _lookup(self, generation: Generation, address: Address) -> Answer | None:
        """Return the stored answer if it is valid in a generation."""
        with self._lock:
            answer = self._answers.get(address)
        if answer is None or not (
            answer.checked_in == generation.number or answer.is_valid_in(generation)
        ):
            return None
        return answer.dated_in(generation) if answer.dated else answer

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

    def _share_miss(
        self,
        environ: WSGIEnvironment,
        start_response: StartResponse,
        generation: Generation,
        address: Address,
    ) -> Iterable[bytes]:
        """Call the router, or take the answer of another request that is calling it."""
        key = (generation.number, address)
        flight, leads = self._flights.join(key)
        if leads:
            answer = None
            try:
                answer, started, body = self._ask_router(environ, generation, address)
            finally:
                self._flights.end(key, flight, answer)
        else:
            answer = flight.wait()
            with contextlib.suppress(FileNotFoundError):
                if answer is not None and not (answer.file and _RANGE in environ):
                    return self._send_cached(answer, environ, start_response, "coalesced")
            answer, started, body = self._ask_router(environ, generation, address)
        if answer is not None and answer.file is None:
            return self._send(answer, environ, start_response)
        start_response(*started)
        return without_body(body) if environ["REQUEST_METHOD"] == "HEAD" else body

    def _ask_router(
        self, environ: WSGIEnvironment, generation: Generation, address: Address
    ) -> tuple[Answer | None, tuple[Any, ...], Iterable[bytes]]:
        """Call the router, and store its answer if it is cacheable.

        :returns: the answer if it is cacheable, and the router's response, whose body has been read
            if the answer isn't a file.
        """
        _ANSWERED.add("miss")
        method, environ["REQUEST_METHOD"] = environ["REQUEST_METHOD"], "GET"
        if method == "HEAD":
            environ.pop(_RANGE, None)
        environ[TOTALS] = Totals(generation.mark, self._totals)
        environ[CONTENT_VERSION] = generation.token
        started: list[tuple[Any, ...]] = []

        def start(*arguments: Any) -> Any:
            started.append(arguments)

        try:
            with noted_reads() as reads:
                body = self._app(environ, start)
                if _is_bytes(environ, *started[0]):
                    body = [b"".join(body)]
        finally:
            environ["REQUEST_METHOD"] = method
        environ[READ_TABLES], environ[VALID_UNTIL] = reads.tables, generation.until
        answer = self._answer(environ, generation, address, started[0], body)
        if answer is not None:
            with self._lock, contextlib.suppress(ValueError):  # one that is larger than the cache
                self._answers[address] = answer
            if answer.dated:
                answer = answer.dated_in(generation)
        return answer, started[0], body

    def _answer(
        self,
        environ: WSGIEnvironment,
        generation: Generation,
        address: Address,
        started: tuple[Any, ...],
        body: Iterable[bytes],
    ) -> Answer | None:
        """Return the answer to a request as it is cached; None if it may not be cached."""
        status, headers, *_ = started
        own, tables = dict(headers).get("ETag"), environ[READ_TABLES]
        known = {
            "address": address,
            "tables": tables,
            "mark": generation.mark(tables),
            "checked_in": generation.number,
            "row": environ.get(READ_ROW),
            "route": environ.get(ROUTE, OTHER),
        }
        if _is_bytes(environ, status, headers):
            content = b"".join(body)
            etag = entity_tag(generation.tag_key, headers, content)
            may_compress = self._encodings.may_compress(headers)
            return Answer(
                headers=[*headers, ("ETag", f'"{etag}"'), *(_VARY if may_compress else ())],
                body=content,
                etag=etag,
                dated=not is_json(headers),
                may_compress=may_compress,
                **known,
            )
        if own and CACHE_KEY in environ and FILE in environ and status.startswith("200"):
            etag = own.strip('"')
            return Answer(headers=headers, body=b"", etag=etag, file=environ[FILE], **known)
        return None

    def _current(self) -> Generation | None:
        """Return the current generation; None if the database doesn't answer."""
        token, generation = self._instance.version.token(), self._generation
        if token is None:
            return None
        if generation is not None and generation.is_valid(token, utcnow()):
            return generation
        try:
            self._due_edits.publish()
            return self._renew()
        except SQLAlchemyError:
            # For example missing tables of an unmigrated plugin; the router reports the error.
            return None

    def _renew(self) -> Generation | None:
        """Begin a generation, or return the one that another thread has begun meanwhile."""
        if not self._renewing.acquire(timeout=PATIENCE):
            return None
        try:
            token, former = self._instance.version.token(), self._generation
            if token is None or (former is not None and former.is_valid(token, utcnow())):
                return former if token is not None else None
            self._generation = self._begin(former)
            return self._generation
        finally:
            self._renewing.release()

    def _begin(self, former: Generation | None) -> Generation:
        # First, because a change that is committed meanwhile then ends the generation.
        versions, now = self._instance.version.table_versions(), utcnow()
        with self._instance.database.read() as connection:
            passed, coming = self._visibility_changes.around(connection, now)
            edits = self._due_edits.next_time(connection, now)
        until = min(filter(None, (coming, edits)), default=None)
        return Generation(versions, passed, now, until, former)

    def _sample(self) -> None:
        _BYTES.set(self._answers.currsize)

    def _drop(self, _engine: object) -> None:
        """Drop all answers when the instance is closed: it may get another database."""
        with self._lock:
            self._generation = None
            self._answers.clear()


def _is_at_hand(answer: Answer, coding: str) -> bool:
    """Whether the form of an answer in a coding is made, and short enough to be sent at once."""
    if coding and coding not in answer.compressed:
        return False
    return len(answer.compressed[coding] if coding else answer.body) <= _MAX_IMMEDIATE


def _is_bytes(environ: WSGIEnvironment, status: str, headers: Headers, *_: Any) -> bool:
    """Whether a response is cached as bytes, with an entity tag of them."""
    return CACHE_KEY in environ and status.startswith("200") and "ETag" not in dict(headers)


def _addresses(endpoints: Iterable[Endpoint]) -> re.Pattern[str]:
    """Return a pattern of the paths of cacheable endpoints; others need no database query."""
    paths = [PLACEHOLDER.split(e.path)[::2] for e in endpoints if e.cacheable]
    return re.compile("|".join("[^/]+".join(map(re.escape, parts)) for parts in paths))


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Declare the settings of the cache."""
    return [SIZE, STRICT, STALE_IF_ERROR]
