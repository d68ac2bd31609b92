from __future__ import annotations

from typing import Any

import pytest

CHUNKED = b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"

REFUSED = {
    "bad request line": (b"NONSENSE\r\n\r\n", "Start line is invalid"),
    "lowercase method": (b"get / HTTP/1.1\r\nHost: a\r\n\r\n", "Malformed HTTP method"),
    "bad header": (b"GET / HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n", "Invalid header"),
    "bare LF": (
        b"GET / HTTP/1.1\r\nHost: a\r\na: b\nc: d\r\n\r\n",
        "Bare CR or LF found in header line",
    ),
    "bad host in the address": (
        b"GET http://[::1 HTTP/1.1\r\nHost: a\r\n\r\n",
        "Malformed address",
    ),
    "head too large": (
        b"GET / HTTP/1.1\r\nHost: a\r\nx: " + b"y" * 8192 + b"\r\n\r\n",
        "The head of the request is too large",
    ),
    "announced body too large": (
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100001\r\n\r\n",
        "The body is too large",
    ),
    "body too large in chunks": (
        CHUNKED + (b"2710\r\n" + b"z" * 10_000 + b"\r\n") * 11,
        "The body is too large",
    ),
    "announced body too large, to be asked for": (
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100001\r\nExpect: 100-continue\r\n\r\n",
        "The body is too large",
    ),
    "Content-Length that is no number": (
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
        "Content-Length is invalid",
    ),
    "bad Content-Length, to be asked for": (
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\nExpect: 100-continue\r\n\r\n",
        "Content-Length is invalid",
    ),
    "two Content-Lengths": (
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "Content-Length is invalid",
    ),
    "both framings": (
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        "Content-Length and Transfer-Encoding exclude each other",
    ),
    "chunks under HTTP/1.0": (
        b"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
        "Transfer-Encoding needs HTTP/1.1",
    ),
    "unsupported encoding": (
        b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n",
        "This Transfer-Encoding is not supported",
    ),
    "bad chunk size": (CHUNKED + b"xyz\r\n", "Invalid chunk size"),
    "chunk without its end": (CHUNKED + b"1\r\nab\r\n", "Chunk not properly terminated"),
    "endless chunk line": (
        CHUNKED + b"1" * 8192,
        "Chunk header or trailer is too long",
    ),
}


@pytest.mark.parametrize(("sent", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_a_malformed_request_is_refused_as_json(server: Any, sent: Any, message: str) -> None:
    answer = server.send(sent)

    assert answer.status == 400
    assert answer.json == {"error": message}
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert len(answer.headers["X-Request-Id"]) == 32
    assert "Server" not in answer.headers


def test_a_content_length_of_5000_digits_is_refused_as_json(server: Any) -> None:
    head = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + b"9" * 3900 + b"\r\n\r\n"

    assert server.send(head).json == {"error": "The body is too large"}


@pytest.mark.parametrize("path", ["/raise", "/panic"])
def test_an_application_that_fails_is_answered_as_json(server: Any, path: str) -> None:
    answer = server.get(path)

    assert answer.status == 500
    assert answer.json == {"error": "Internal server error"}
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert answer.headers["X-Request-Id"] == "app-1"
    assert "Server" not in answer.headers
    assert f'ada "GET {path}" 500' in server.logged(f'"GET {path}"')


def test_a_failed_head_request_gets_no_body(server: Any) -> None:
    with server.connect() as client, client.makefile("rb") as stream:
        client.sendall(b"HEAD /raise HTTP/1.1\r\nHost: a\r\n\r\n")

        received = stream.read()

    assert received.startswith(b"HTTP/1.1 500 ")
    assert received.endswith(b"\r\n\r\n")


def test_a_client_that_sends_too_much_can_still_read_why(server: Any) -> None:
    megabyte = b"z" * 1_000_000
    head = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 20000000\r\n\r\n"

    answer = server.send(head, *[megabyte] * 20)

    assert answer.json == {"error": "The body is too large"}


def test_a_body_of_the_largest_size_is_taken(server: Any) -> None:
    assert server.get(method="POST", body=b"z" * 100_000).json["length"] == 100_000


def test_an_expectation_without_a_body_is_answered_at_once(server: Any) -> None:
    answer = server.send(b"GET / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n")

    assert answer.json["method"] == "GET"


def test_a_body_is_asked_for_where_the_client_waits_for_that(server: Any, answer_on: Any) -> None:
    with server.connect() as client:
        client.sendall(
            b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n"
        )
        assert client.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"

        client.sendall(b"abc")
        assert answer_on(client).json["length"] == 3


def test_a_refusal_is_logged_without_its_query(server: Any) -> None:
    server.send(b"POST /refused?token=hush HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n")

    assert "400" in server.logged("POST /refused")
    assert "hush" not in server.log
