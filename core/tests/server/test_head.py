"""Request lines and headers as RFC 9112 wants them, sent to a real server."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.slow

GOOD = b"GET /x HTTP/1.1\r\nHost: a\r\n"
LINES = {
    "no version": b"GET /x",
    "no target": b"GET HTTP/1.1",
    "no method": b" /x HTTP/1.1",
    "two blanks": b"GET  /x HTTP/1.1",
    "a tab": b"GET\t/x HTTP/1.1",
    "a blank at the start": b" GET /x HTTP/1.1",
    "a blank at the end": b"GET /x HTTP/1.1 ",
    "a blank in the target": b"GET /x y HTTP/1.1",
    "a target that is no path": b"GET x HTTP/1.1",
    "a star": b"GET * HTTP/1.1",
    "an authority": b"CONNECT a:80 HTTP/1.1",
    "another scheme": b"GET ftp://a/x HTTP/1.1",
    "a byte beyond ASCII": b"GET /\xc3\xa9 HTTP/1.1",
    "a control character": b"GET /\x01 HTTP/1.1",
    "a bare CR": b"GET /x\rHTTP/1.1",
    "a version in small letters": b"GET /x http/1.1",
    "a version of three digits": b"GET /x HTTP/1.10",
    "a version of another protocol": b"GET /x SIP/2.0",
}
FIELDS = {
    "a fold": b"A: b\r\n c: d\r\n",
    "a fold by tab": b"A: b\r\n\tc\r\n",
    "a fold of nothing": b" A: b\r\n",
    "a blank before the colon": b"A : b\r\n",
    "no colon": b"Ab\r\n",
    "no name": b": b\r\n",
    "a bare LF": b"A: b\nC: d\r\n",
    "a bare CR": b"A: b\rC: d\r\n",
    "a NUL": b"A: \0\r\n",
    "a control character": b"A: \x0b\r\n",
    "a name beyond ASCII": b"\xc3\xa9: b\r\n",
    "Host twice": b"Host: a\r\n",
    "another Host": b"hOST: b\r\n",
    "Transfer-Encoding twice": b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
    "Transfer-Encoding twice in a line": b"Transfer-Encoding: chunked, chunked\r\n",
    "an empty Transfer-Encoding": b"Transfer-Encoding:\r\n",
    "a blank Transfer-Encoding": b"Transfer-Encoding: \t \r\n",
    "a Transfer-Encoding of a comma": b"Transfer-Encoding: chunked,\r\n",
    "chunked and then another": b"Transfer-Encoding: chunked, identity\r\n",
    "chunked in quotes": b'Transfer-Encoding: "chunked"\r\n',
    "chunked with a control character": b"Transfer-Encoding: \x0bchunked\r\n",
    "both framings": b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
    "Content-Length twice": b"Content-Length: 5\r\nContent-Length: 5\r\n",
    "Content-Length twice in a line": b"Content-Length: 5, 5\r\n",
    "an empty Content-Length": b"Content-Length:\r\n",
    "a signed Content-Length": b"Content-Length: +5\r\n",
    "a negative Content-Length": b"Content-Length: -5\r\n",
    "a hexadecimal Content-Length": b"Content-Length: 0x5\r\n",
    "a Content-Length in another script": b"Content-Length: \xd9\xa1\r\n",
    "a fraction of Content-Length": b"Content-Length: 5.0\r\n",
    "a Content-Length with a separator": b"Content-Length: 1_0\r\n",
}
HOSTS = [
    b"",
    b" ",
    b"a b",
    b"a, b",
    b"a/b",
    b"a@b",
    b"http://a",
    b"a:b",
    b"a:80:80",
    b"a:800000",
    b"[::1",
    b"::1",
    b"a\xe9",
    b"a?b",
    b"a#b",
    b"a\\b",
    b'"a"',
]
GOOD_HOSTS = [b"a", b"a:80", b"a:", b"127.0.0.1:6543", b"[::1]:80", b"web_1", b"xn--bcher-kva.de"]


@pytest.mark.parametrize("line", LINES.values(), ids=LINES.keys())
def test_a_request_line_that_is_none_is_400(server: Any, line: bytes) -> None:
    assert server.send(line + b"\r\nHost: a\r\n\r\n").status == 400


@pytest.mark.parametrize("field", FIELDS.values(), ids=FIELDS.keys())
def test_a_header_that_is_none_is_400(server: Any, field: bytes) -> None:
    # A server that took one for a body would answer the second request.
    with server.connect() as client, client.makefile("rb") as stream:
        client.sendall(GOOD + field + b"\r\n0\r\n\r\n" + GOOD + b"\r\n")

        received = stream.read()

    assert received.startswith((b"HTTP/1.1 400", b"HTTP/1.0 400"))
    assert received.count(b"HTTP/1.") == 1


@pytest.mark.parametrize("version", [b"0.9", b"1.2", b"2.0", b"3.0", b"9.9", b"0.0"])
def test_another_version_is_505(server: Any, version: bytes) -> None:
    answer = server.send(b"GET /x HTTP/" + version + b"\r\nHost: a\r\n\r\n")

    assert answer.status == 505
    assert answer.json == {"error": "Only HTTP/1.0 and HTTP/1.1 are supported"}


def test_the_preface_of_http_2_is_505(server: Any) -> None:
    assert server.send(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").status == 505


def test_a_request_of_http_1_1_without_a_host_is_400(server: Any) -> None:
    assert server.send(b"GET /x HTTP/1.1\r\n\r\n").json == {"error": "Host is missing"}


def test_a_request_of_http_1_0_needs_no_host(server: Any) -> None:
    assert server.send(b"GET /x HTTP/1.0\r\n\r\n").json["path"] == "/x"


@pytest.mark.parametrize("version", [b"1.0", b"1.1"])
@pytest.mark.parametrize("host", HOSTS)
def test_an_invalid_host_is_400(server: Any, host: bytes, version: bytes) -> None:
    sent = b"GET /x HTTP/" + version + b"\r\nHost: " + host + b"\r\n\r\n"

    assert server.send(sent).json == {"error": "Host is invalid"}


@pytest.mark.parametrize("host", GOOD_HOSTS)
def test_a_valid_host_is_accepted(server: Any, host: bytes) -> None:
    assert server.send(b"GET /x HTTP/1.1\r\nHost: " + host + b"\r\n\r\n").status == 200


def test_several_slashes_are_not_one(server: Any) -> None:
    assert server.send(b"GET //api/news HTTP/1.1\r\nHost: a\r\n\r\n").json["path"] == "//api/news"


def test_an_absolute_address_is_accepted(server: Any) -> None:
    for target, path in ((b"http://a/x?y#z", "/x"), (b"http://a", "/"), (b"http://a?y", "/")):
        sent = b"GET " + target + b" HTTP/1.1\r\nHost: a\r\n\r\n"

        assert server.send(sent).json["path"] == path


def test_blank_lines_before_a_request_are_ignored_up_to_a_limit(server: Any) -> None:
    assert server.send(b"\r\n" * 16 + GOOD + b"\r\n").json["path"] == "/x"
    assert server.send(b"\r\n" * 17 + GOOD + b"\r\n").status == 400


def test_repeated_headers_count_towards_the_size_of_the_head(server: Any) -> None:
    lines = [b"A: b\r\n"] * 600

    assert server.send(GOOD + b"".join(lines) + b"\r\n").status == 200
    assert server.send(GOOD + b"".join(lines * 2) + b"\r\n").status == 400


@pytest.mark.parametrize("size", range(1, 8))
def test_a_head_may_arrive_in_pieces(server: Any, size: int) -> None:
    sent = b"\r\nPOST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"
    with server.connect() as client, client.makefile("rb") as stream:
        client.setsockopt(6, 1, 1)  # TCP_NODELAY
        for start in range(0, len(sent), size):
            client.sendall(sent[start : start + size])
        client.sendall(b"GET /y HTTP/1.1\r\nHost: a\r\nConnection: TE, close\r\n\r\n")

        received = stream.read()

    assert b'"length": 3' in received
    assert b'"path": "/y"' in received


@pytest.mark.parametrize("option", ["close", "Close", "TE, close", "close,upgrade"])
def test_a_connection_is_closed_where_the_client_asks_for_that(server: Any, option: str) -> None:
    with server.connect() as client, client.makefile("rb") as stream:
        client.sendall(GOOD + f"Connection: {option}\r\n\r\n".encode())

        assert b"Connection: close" in stream.read()
