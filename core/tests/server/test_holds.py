"""Requests whose head the application checks before the server receives the body."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

import pytest

pytestmark = pytest.mark.slow

LARGE = 70_000
FRAMINGS = {
    "a large body": f"Content-Length: {LARGE}",
    "a body in chunks": "Transfer-Encoding: chunked",
    "a body to be asked for": "Content-Length: 1\r\nExpect: 100-continue",
}
BODIES = {
    "a large body": b"x" * LARGE,
    "a body in chunks": b"3;a=b\r\nabc\r\n" * 3 + b"0\r\nA: b\r\n\r\n",
    "a body to be asked for": b"x",
}
LENGTHS = {"a large body": LARGE, "a body in chunks": 9, "a body to be asked for": 1}


def head(path: str, framing: str) -> bytes:
    return f"POST {path} HTTP/1.1\r\nHost: a\r\n{FRAMINGS[framing]}\r\n\r\n".encode()


def read_all(client: Any) -> bytes:
    with client.makefile("rb") as stream:
        received: bytes = stream.read()
    return received


@pytest.mark.parametrize("framing", FRAMINGS)
def test_a_refused_request_is_answered_before_its_body_comes(server: Any, framing: str) -> None:
    with server.connect() as client:
        client.sendall(head("/forbidden", framing))

        received = read_all(client)

    assert received.startswith(b"HTTP/1.1 403 Forbidden\r\n")
    assert received.endswith(b"\r\n\r\nno")
    assert received.count(b"HTTP/1.1") == 1
    assert b"Connection: close" in received


@pytest.mark.parametrize("framing", FRAMINGS)
def test_a_body_that_is_wanted_reaches_the_application(
    server: Any, answer_on: Any, framing: str
) -> None:
    with server.connect() as client:
        client.sendall(head("/wanted", framing) + BODIES[framing])
        assert answer_on(client).json["length"] == LENGTHS[framing]

        client.sendall(b"GET /next HTTP/1.1\r\nHost: a\r\n\r\n")
        assert answer_on(client).json["path"] == "/next"


@pytest.mark.parametrize("framing", FRAMINGS)
def test_pipelined_requests_around_a_held_one_are_answered_in_order(
    server: Any, framing: str
) -> None:
    first = b"GET /one HTTP/1.1\r\nHost: a\r\n\r\n"
    last = b"GET /three HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    with server.connect() as client:
        client.sendall(first + head("/two", framing) + BODIES[framing] + last)

        received = read_all(client)

    places = [received.index(path) for path in (b'"/one"', b'"/two"', b'"/three"')]
    assert places == sorted(places)


def test_a_held_request_behind_another_one_is_checked_too(server: Any) -> None:
    first = b"GET /one HTTP/1.1\r\nHost: a\r\n\r\n"
    with server.connect() as client:
        client.sendall(first + head("/forbidden", "a large body"))

        received = read_all(client)

    assert received.index(b'"/one"') < received.index(b"403 Forbidden")


def test_many_refused_requests_are_answered_once_each(server: Any) -> None:
    def send(_: int) -> int:
        with server.connect() as client:
            client.sendall(head("/forbidden", "a large body"))
            return read_all(client).count(b"HTTP/1.1")

    with ThreadPoolExecutor(4) as threads:
        assert set(threads.map(send, range(400))) == {1}


def test_a_refused_request_hides_no_second_one(server: Any) -> None:
    with server.connect() as client:
        hidden = b"GET /hidden HTTP/1.1\r\nHost: a\r\n\r\n"
        client.sendall(head("/forbidden", "a body in chunks") + hidden)

        assert b"hidden" not in read_all(client)


def test_a_held_request_behind_the_last_one_is_ignored(start: Any) -> None:
    server = start(threads=1)
    last = b"GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    for framing in [*FRAMINGS] * 10:
        with server.connect() as client:
            client.sendall(last + head("/forbidden", framing))

            assert read_all(client).count(b"HTTP/1.1") == 1

    # The log is in order, because there is one thread.
    server.get("/next")
    server.logged('"GET /next"')
    assert "POST /forbidden" not in server.log


def test_chunks_beyond_the_limit_of_the_address_are_refused(server: Any) -> None:
    with server.connect() as client:
        client.sendall(head("/limit/10", "a body in chunks") + b"B\r\nabcdefghijk\r\n")

        assert b"The body is too large" in read_all(client)


def test_a_refusal_by_the_head_is_logged_once_and_a_check_is_not(start: Any) -> None:
    server = start()
    for path in ("/forbidden", "/wanted"):
        framing = "a body in chunks"
        server.send(head(path, framing), *[BODIES[framing]] * (path == "/wanted"))

    server.logged('"POST /wanted" 200')
    assert server.log.count("POST /forbidden") == server.log.count("POST /wanted") == 1
    assert '"POST /forbidden" 403' in server.log


def test_a_body_with_a_limit_of_time_is_not_closed_while_its_head_is_checked(start: Any) -> None:
    server = start(threads=1, head_timeout=1)
    with server.connect() as slow, server.connect() as client:
        slow.sendall(b"GET /wait/slow?seconds=3 HTTP/1.1\r\nHost: a\r\n\r\n")
        server.noted("slow")
        client.sendall(head("/forbidden", "a large body"))

        assert b"403 Forbidden" in read_all(client)


def test_requests_that_no_thread_takes_in_time_are_503(start: Any, answer_on: Any) -> None:
    server = start(threads=1, queue_timeout=1)
    with ExitStack() as stack:
        clients = [stack.enter_context(server.connect()) for _ in range(3)]
        clients[0].sendall(b"GET /wait/slow?seconds=6 HTTP/1.1\r\nHost: a\r\n\r\n")
        server.noted("slow")
        clients[1].sendall(b"GET /second HTTP/1.1\r\nHost: a\r\n\r\n")
        clients[2].sendall(head("/third", "a large body"))

        refused = [answer_on(client) for client in clients[1:]]

    for answer in refused:
        assert (answer.status, answer.headers["Retry-After"]) == (503, "5")
        assert answer.json == {"error": "The server is busy; try again later"}
        assert answer.headers["Access-Control-Allow-Origin"] == "*"


def test_a_request_refused_behind_an_unread_answer_stops_no_other(start: Any) -> None:
    server = start(threads=1, queue_timeout=1, stop_timeout=0)
    with server.connect() as slow, server.connect() as client:
        slow.sendall(b"GET /wait/slow?seconds=9 HTTP/1.1\r\nHost: a\r\n\r\n")
        server.noted("slow")
        # More than waitress buffers before it waits for the client.
        first = b"GET /writes?blanks=40000000 HTTP/1.1\r\nHost: a\r\n\r\n"
        client.sendall(first + head("/third", "a large body"))

        assert [server.get("/fourth").status for _ in range(2)] == [503, 503]


def test_a_full_queue_is_503_at_once(start: Any) -> None:
    server = start(upload_threads=1, stop_timeout=0)
    with ExitStack() as stack:
        clients = [stack.enter_context(server.connect()) for _ in range(12)]
        for client in clients:
            client.sendall(b"GET /uploads/slow?seconds=9 HTTP/1.1\r\nHost: a\r\n\r\n")

        # One of them is running, and ten wait.
        assert server.logged("503")
        assert server.get("/reads").status == 200


def test_the_main_pool_needs_no_thread(start: Any) -> None:
    server = start(threads=1)
    with server.connect() as client:
        client.sendall(b"GET /wait/slow?seconds=2 HTTP/1.1\r\nHost: a\r\n\r\n")
        server.noted("slow")

        assert server.get("/main").json["thread"] == "MainThread"
