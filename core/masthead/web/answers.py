"""Cached public answers, and conditional requests for them (RFC 9110 section 13)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from wsgiref.types import StartResponse, WSGIEnvironment

from masthead.db import utcnow
from masthead.db.read_tables import Tables
from masthead.http.dates import http_date
from masthead.http.environ import Row
from masthead.http.files import send_file
from masthead.telemetry.metrics import OTHER
from masthead.web.conditional import is_unchanged
from masthead.web.generation import Generation

Headers = list[tuple[str, str]]
Address = tuple[str, str]
"""Path and query of a request, including ignored parameters."""
_OVERHEAD = 4096


@dataclass
class Answer:
    """A cached answer: bytes, or a file with its own entity tag."""

    address: Address
    headers: Headers
    body: bytes
    etag: str
    tables: Tables
    """The tables that it depends on; None if it may depend on any."""
    mark: object
    """The mark of these tables, with which it is valid."""
    checked_in: int = 0
    """The number of the last generation in which it was found valid, so a hit is quick."""
    file: str | None = None
    """The path of the file that is sent instead of ``body``."""
    row: Row | None = None
    """The only row of its table that it depends on."""
    dated: bool = False
    """Whether it gets a date. Feed readers and crawlers often know no entity tags."""
    changed_at: datetime | None = None
    """The date."""
    route: str = OTHER
    """The name of the endpoint."""
    age: int | None = None
    """The seconds since it was known to be valid, if the database is away since then."""

    def __len__(self) -> int:
        """Return its approximate size in memory."""
        return len(self.body) + sum(map(len, self.address)) + _OVERHEAD

    def is_valid_in(self, generation: Generation) -> bool:
        """Whether it is valid in a generation, because its tables haven't changed."""
        if self.mark != generation.mark(self.tables):
            return False
        self.checked_in = generation.number
        return True

    def dated_in(self, generation: Generation) -> Answer:
        """Return it with its date in a generation in which it is valid."""
        return replace(self, changed_at=generation.changed_at(self.tables, utcnow()))


def entity_tag(key: bytes, headers: Headers, body: bytes) -> str:
    """Return the entity tag of an answer: equal ones have the same.

    The secret key keeps everybody else from computing the tag of content that they guess.
    """
    digest = hashlib.blake2b(body, key=key, digest_size=16)
    for name, value in sorted(headers):
        digest.update(f"\n{name}: {value}".encode())
    return digest.hexdigest()


def send(
    answer: Answer, environ: WSGIEnvironment, start_response: StartResponse
) -> Iterable[bytes]:
    """Send an answer, or 304 to a client that has it.

    :raises FileNotFoundError: if its file no longer exists.
    """
    headers = answer.headers
    if answer.changed_at is not None:
        headers = [*headers, ("Last-Modified", http_date(answer.changed_at))]
    if is_unchanged(environ, answer.etag, answer.changed_at):
        kept = [pair for pair in headers if pair[0] not in ("Content-Length", "Content-Type")]
        start_response("304 Not Modified", kept)
        return []
    body: Iterable[bytes] = [answer.body]
    if environ["REQUEST_METHOD"] == "HEAD":
        body = []
    elif answer.file is not None:
        body = send_file(environ, answer.file)
    start_response("200 OK", headers)
    return body


def is_json(headers: Headers) -> bool:
    """Whether an answer is JSON."""
    return dict(headers).get("Content-Type", "").startswith("application/json")


def without_body(body: Iterable[bytes]) -> Iterable[bytes]:
    """Close a body that is not sent, and return an empty one."""
    close = getattr(body, "close", None)
    if close is not None:
        close()
    return []
