"""Cached public answers, and conditional requests for them (RFC 9110 section 13)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from wsgiref.types import StartResponse, WSGIEnvironment

from masthead.db import utcnow
from masthead.db.read_tables import Tables
from masthead.http.dates import http_date
from masthead.http.environ import Row
from masthead.http.files import send_file
from masthead.telemetry.metrics import OTHER
from masthead.web.conditional import known_tag
from masthead.web.encodings import CODINGS, Compressed
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
    may_compress: bool = False
    """Whether clients may get it in a content coding."""
    compressed: Compressed = field(default_factory=Compressed)
    """Its body in the content codings that were asked for."""

    def __len__(self) -> int:
        """Return its approximate size in memory."""
        return len(self.body) + len(self.compressed) + sum(map(len, self.address)) + _OVERHEAD

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
    answer: Answer, environ: WSGIEnvironment, start_response: StartResponse, coding: str = ""
) -> Iterable[bytes]:
    """Send an answer, or 304 to a client that has any form of it.

    :param coding: the content coding, in which the answer is already compressed; blank for none.
    :raises FileNotFoundError: if its file no longer exists.
    """
    headers = answer.headers
    if answer.changed_at is not None:
        headers = [*headers, ("Last-Modified", http_date(answer.changed_at))]
    tags = _tags(answer, coding)
    known = known_tag(environ, tags, answer.changed_at)
    if known is not None:
        kept = [pair for pair in headers if pair[0] not in ("Content-Length", "Content-Type")]
        start_response("304 Not Modified", _tagged(kept, known))
        return []
    content = answer.body
    if coding:
        content = answer.compressed[coding]
        plain = [pair for pair in headers if pair[0] != "Content-Length"]
        length = ("Content-Length", str(len(content)))
        headers = [*_tagged(plain, tags[0]), ("Content-Encoding", coding), length]
    body: Iterable[bytes] = [content]
    if environ["REQUEST_METHOD"] == "HEAD":
        body = []
    elif answer.file is not None:
        body = send_file(environ, answer.file)
    start_response("200 OK", headers)
    return body


def _tags(answer: Answer, coding: str) -> list[str]:
    """Return the entity tags of all forms of an answer, first that of the form in a coding.

    Each form has its own one (RFC 9110 section 8.8.3.3).
    """
    if not answer.may_compress:
        return [answer.etag]
    forms = [coding, *(each for each in ("", *CODINGS) if each != coding)]
    return [f"{answer.etag}-{form}" if form else answer.etag for form in forms]


def _tagged(headers: Headers, etag: str) -> Headers:
    """Return the headers with another entity tag."""
    return [("ETag", f'"{etag}"') if pair[0] == "ETag" else pair for pair in headers]


def is_json(headers: Headers) -> bool:
    """Whether an answer is JSON."""
    return dict(headers).get("Content-Type", "").startswith("application/json")


def without_body(body: Iterable[bytes]) -> Iterable[bytes]:
    """Close a body that is not sent, and return an empty one."""
    close = getattr(body, "close", None)
    if close is not None:
        close()
    return []
