"""A server whose database is locked, and one whose clients send bodies that it doesn't want."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPResponse
from typing import Any
from urllib.parse import urlsplit

import pytest
from sqlalchemy import text

from masthead.db import Database

pytestmark = pytest.mark.slow

CONTACT = {
    "name": "Ada",
    "email": "ada@example.org",
    "subject": "A subject",
    "message": "A message",
}
WRITERS = 12


@pytest.fixture
def impatient(site: Any) -> Any:
    """A running server that waits two seconds for locks."""
    site.environ["MASTHEAD_DATABASE_LOCK_TIMEOUT"] = "2"
    site.environ["MASTHEAD_SERVER_QUEUE_TIMEOUT"] = "3"
    site.environ["MASTHEAD_SERVER_STOP_TIMEOUT"] = "1"
    site.start()
    site.wait_until_ready()
    return site


@contextmanager
def locked(site: Any) -> Iterator[None]:
    """Keep all writers of contact messages waiting."""
    folder = site.environ["MASTHEAD_DATA"]
    database = Database(
        site.environ.get("MASTHEAD_DATABASE_URL", f"sqlite:///{folder}/masthead.db")
    )
    with database.transaction() as session:
        if database.dialect == "postgresql":
            session.execute(text("LOCK TABLE site_message IN EXCLUSIVE MODE"))
        else:
            session.execute(text("SELECT 1"))
        yield
    database.dispose()


def test_a_locked_database_delays_no_reader_and_writers_get_503(impatient: Any) -> None:
    with ThreadPoolExecutor(WRITERS) as threads, locked(impatient):
        writes: list[Future[Any]] = [
            threads.submit(impatient.ask, "POST", "/api/contact", CONTACT) for _ in range(WRITERS)
        ]
        time.sleep(0.5)
        for path in ("/healthz", "/readyz", "/api/news", "/api/news?limit=3"):
            assert impatient.ask("GET", path).status == 200, path
        # All those were answered while all writers were still waiting.
        assert not any(write.done() for write in writes)
        answers = [write.result() for write in writes]

    assert {answer.status for answer in answers} == {503}
    assert {answer.headers["Retry-After"] for answer in answers} == {"5"}
    assert impatient.ask("POST", "/api/contact", CONTACT).status == 200


def test_a_stop_waits_for_no_locked_database(impatient: Any) -> None:
    with ThreadPoolExecutor(WRITERS) as threads, locked(impatient):
        for _ in range(WRITERS):
            threads.submit(impatient.ask, "POST", "/api/contact", CONTACT)
        time.sleep(0.5)
        began = time.monotonic()

        assert impatient.terminate() == 0

        assert time.monotonic() - began < 15


UPLOADS = [
    ("/api/staff/upload/image", 401),
    ("/api/staff/contacts/bulk-import", 401),
    ("/api/staff/news", 401),
    ("/api/nowhere", 404),
    ("/api/contact", 400),
    ("/api/auth/logout", 400),
]


@pytest.mark.parametrize("framing", ["Content-Length: 20000000", "Transfer-Encoding: chunked"])
def test_an_unwanted_body_is_refused_before_it_comes(impatient: Any, framing: str) -> None:
    for path, status in UPLOADS:
        if status == 400 and "chunked" in framing:
            continue  # The size isn't known yet.
        parts = urlsplit(impatient.address)
        with socket.create_connection((parts.hostname, parts.port), timeout=30) as client:
            client.sendall(f"POST {path} HTTP/1.1\r\nHost: a\r\n{framing}\r\n\r\n".encode())
            answer = HTTPResponse(client)
            answer.begin()
            assert answer.status == status, path
            assert answer.headers["Access-Control-Allow-Origin"] == "*"
            assert answer.read().startswith(b'{"error":')


def test_a_wanted_body_of_many_pieces_arrives(impatient: Any) -> None:
    parts = urlsplit(impatient.address)
    body = b'{"username": "ada", "password": "' + b"x" * 200_000 + b'"}'
    with socket.create_connection((parts.hostname, parts.port), timeout=30) as client:
        client.sendall(
            b"POST /api/auth/login HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n"
            + f"Content-Length: {len(body)}\r\n\r\n".encode()
        )
        assert client.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        client.sendall(body)
        answer = HTTPResponse(client)
        answer.begin()
        assert answer.status in (400, 401)
