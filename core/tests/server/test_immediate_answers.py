"""Immediate answers: sent by the main thread, but otherwise like other answers."""

from __future__ import annotations

import socket
from email.utils import parsedate_to_datetime
from typing import Any

import pytest

pytestmark = pytest.mark.slow


def test_an_immediate_answer_is_sent_by_the_main_thread(server: Any) -> None:
    answer = server.get("/immediate?a=1", headers={"Accept-Encoding": "br"})

    assert answer.json["thread"] == "MainThread"
    assert answer.json["immediate_answer"] == "GET /immediate a=1 br"


def test_any_other_answer_is_sent_by_another_thread(server: Any) -> None:
    answer = server.get("/elsewhere")

    assert answer.json["thread"].startswith("reads-")
    assert answer.json["immediate_answer"] is None


def test_a_request_for_a_range_gets_no_immediate_answer(server: Any) -> None:
    answer = server.get("/immediate", headers={"Range": "bytes=0-1"})

    assert answer.json["immediate_answer"] is None


def test_the_application_is_asked_with_the_path_that_it_finds_in_the_environ(server: Any) -> None:
    answer = server.send(b"GET /immediate%2Fa?b=%2F HTTP/1.1\r\nHost: a\r\n\r\n")

    assert answer.json["path"] == "/immediate/a"
    assert answer.json["immediate_answer"] == "GET /immediate/a b=%2F"


def test_an_address_with_another_slash_gets_no_immediate_answer(server: Any) -> None:
    answer = server.send(b"GET //immediate HTTP/1.1\r\nHost: a\r\n\r\n")

    assert answer.json["immediate_answer"] is None


def test_it_is_answered_though_all_threads_are_busy(start: Any) -> None:
    server = start(threads=1)
    with server.connect() as client:
        client.sendall(b"GET /slow?seconds=2 HTTP/1.1\r\nHost: a\r\n\r\n")
        server.noted("slow")

        assert server.get("/immediate").status == 200

        client.settimeout(0)
        with pytest.raises(BlockingIOError):
            client.recv(1)


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("connection", ["keep-alive", "close"])
def test_it_has_the_headers_that_any_answer_has(server: Any, method: str, connection: str) -> None:
    asked = {"method": method, "headers": {"Connection": connection}}
    here, elsewhere = server.get("/immediate", **asked), server.get("/elsewhere", **asked)

    assert sorted(map(str.lower, here.headers)) == sorted(map(str.lower, elsewhere.headers))
    assert here.headers["X-Request-Id"] == "answer-1"
    assert parsedate_to_datetime(here.headers["Date"])


def test_an_immediate_answer_to_head_has_no_body(server: Any) -> None:
    answer = server.get("/immediate", method="HEAD")

    assert (answer.status, answer.body) == (200, b"")
    assert int(answer.headers["Content-Length"]) > 0


def test_a_connection_serves_immediate_and_other_answers(server: Any, answer_on: Any) -> None:
    with server.connect() as client:
        for path in ("/immediate", "/immediate", "/one", "/immediate"):
            client.sendall(f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
            assert answer_on(client).json["path"] == path


@pytest.mark.parametrize("blanks", [0, 100_000])
def test_pipelined_requests_with_some_immediate_answers_are_answered_in_order(
    server: Any, blanks: int
) -> None:
    paths = ["/immediate/1", "/2", "/immediate/3", "/immediate/4", "/5", "/immediate/6"]
    requests = [f"GET {path}?blanks={blanks} HTTP/1.1\r\nHost: a\r\n\r\n" for path in paths]
    last = "GET /immediate/7 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    with server.connect() as client, client.makefile("rb") as stream:
        client.sendall("".join([*requests, last]).encode())

        received = stream.read()

    places = [received.index(f'"path": "{path}"'.encode()) for path in (*paths, "/immediate/7")]
    assert places == sorted(places)


@pytest.mark.parametrize("head", [b"HTTP/1.0\r\n", b"HTTP/1.1\r\nConnection: close\r\n"])
def test_a_connection_is_closed_after_an_immediate_answer_where_it_should(
    server: Any, head: bytes
) -> None:
    with server.connect() as client, client.makefile("rb") as stream:
        client.sendall(b"GET /immediate " + head + b"Host: a\r\n\r\n")

        received = stream.read()

    assert received.startswith(b"HTTP/1.")
    assert b"\r\nConnection: close\r\n" in received
    assert received.endswith(b"}")


def test_a_client_that_reads_nothing_does_not_delay_others(server: Any) -> None:
    with server.connect() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.sendall(b"GET /immediate?blanks=10000000 HTTP/1.1\r\nHost: a\r\n\r\n" * 3)

        assert [server.get("/immediate").status for _ in range(20)] == [200] * 20


def test_a_client_that_resets_leaves_no_traceback(start: Any) -> None:
    server = start()
    for _ in range(50):
        with server.connect() as client:
            client.setsockopt(1, 13, b"\1\0\0\0\0\0\0\0")  # SO_LINGER of 0 s: close by reset
            client.sendall(b"GET /immediate?blanks=1000000 HTTP/1.1\r\nHost: a\r\n\r\n")

    assert server.stop() == 0
    assert "Traceback" not in server.log


def test_an_application_that_raises_answers_500(server: Any) -> None:
    answer = server.get("/immediate/raise")

    assert (answer.status, answer.json) == (500, {"error": "Internal server error"})
    assert "/immediate/raise" in server.logged("Exception while serving /immediate/raise")
    assert server.get("/immediate").status == 200


def test_a_request_that_is_refused_is_refused(server: Any) -> None:
    answer = server.send(
        b"GET /immediate HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: nonsense\r\n\r\n"
    )

    assert answer.status == 400
    assert "error" in answer.json


def test_a_body_is_read_before_the_answer(server: Any, answer_on: Any) -> None:
    with server.connect() as client:
        client.sendall(b"GET /immediate HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nab")
        client.sendall(b"c")
        assert answer_on(client).json["length"] == 3

        client.sendall(b"GET /immediate HTTP/1.1\r\nHost: a\r\n\r\n")
        assert answer_on(client).json["length"] == 0


def test_the_log_has_a_line_for_it(server: Any) -> None:
    server.get("/immediate/logged?password=hush")

    assert '"GET /immediate/logged?password=***" 200' in server.logged("/immediate/logged")


def test_a_stop_waits_until_it_is_sent(start: Any) -> None:
    server = start()
    with server.connect() as client, client.makefile("rb") as stream:
        client.sendall(b"GET /immediate?blanks=20000000 HTTP/1.1\r\nHost: a\r\n\r\n")
        head = stream.readline()
        server.process.terminate()

        assert head == b"HTTP/1.1 200 OK\r\n"
        assert len(stream.read()) > 20_000_000
    assert server.wait() == 0
