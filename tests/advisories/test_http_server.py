"""Reports about parsers of HTTP: smuggled requests, endless heads, slow clients, odd methods."""

from __future__ import annotations

import re
import socket
import time
from typing import Any

import pytest

pytestmark = pytest.mark.slow

SMUGGLED = b"GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n"


def statuses(received: bytes) -> list[int]:
    """Return the statuses of the answers."""
    return [int(found) for found in re.findall(rb"HTTP/1\.[01] (\d{3}) ", received)]


def post(*headers: bytes, body: bytes = SMUGGLED) -> bytes:
    """Return a request with these headers, and a body that is a request itself."""
    return b"POST /api/contact HTTP/1.1\r\nHost: a\r\n" + b"".join(headers) + b"\r\n" + body


LENGTH = b"Content-Length: %d\r\n" % len(SMUGGLED)
CHUNKED = b"Transfer-Encoding: chunked\r\n"

FRAMING = {
    "CVE-2019-16785 (waitress), lines that end in LF": post(b"X: y\nContent-Length: 0\r\n", LENGTH),
    "CVE-2019-16786 (waitress), codings beside chunked": post(
        b"Transfer-Encoding: gzip, chunked\r\n", LENGTH
    ),
    "CVE-2019-16789 (waitress), other blanks": post(b"Transfer-Encoding: \x0bchunked\r\n", LENGTH),
    "CVE-2019-16792 (waitress), two lengths": post(b"Content-Length: 0\r\n", LENGTH),
    "CVE-2022-24761 (waitress), lengths with a sign": post(b"Content-Length: +10\r\n"),
    "CVE-2022-24761 (waitress), hexadecimal chunks": post(CHUNKED, body=b"0x0\r\n\r\n" + SMUGGLED),
    "CVE-2022-24761 (waitress), extensions of chunks": post(
        CHUNKED, body=b"0;a=\x01\r\n\r\n" + SMUGGLED
    ),
    "CVE-2024-1135 (Gunicorn), both framings": post(CHUNKED, LENGTH, body=b"0\r\n\r\n" + SMUGGLED),
    "CVE-2024-6827 (Gunicorn), chunked is not last": post(
        b"Transfer-Encoding: chunked, identity\r\n", LENGTH
    ),
    "CVE-2022-32213 (Node.js), obfuscated coding": post(b"Transfer-Encoding: chunkedchunked\r\n"),
    "CVE-2022-35256 (Node.js), a blank before the colon": post(b"Transfer-Encoding : chunked\r\n"),
    "CVE-2023-25725 (HAProxy), a header without a name": post(b": a\r\n", LENGTH),
    "RFC 9112, section 6.1, HTTP/1.0 with chunks": post(CHUNKED).replace(b"HTTP/1.1", b"HTTP/1.0"),
}


@pytest.mark.parametrize("request_", FRAMING.values(), ids=FRAMING)
def test_no_ambiguous_framing_smuggles_a_request(server: Any, request_: bytes) -> None:
    """The reports in the ids: a proxy and a server disagreed where a request ends."""
    received = server.send(request_)

    assert statuses(received)[:1] in ([400], [501])
    assert len(statuses(received)) == 1
    assert b"/smuggled" not in received


def test_cve_2013_2028_a_huge_chunk_contains_the_rest(server: Any) -> None:
    """CVE-2013-2028 (nginx): the size of a chunk overflowed and became a negative number."""
    for size in (b"F" * 17, b"8000000000000000", b"FFFFFFFFFFFFFFFF"):
        received = server.send(post(CHUNKED, body=size + b"\r\n" + SMUGGLED))
        assert statuses(received) in ([], [400], [413])


def test_cve_2024_49768_nothing_is_answered_after_a_refused_request(server: Any) -> None:
    """CVE-2024-49768 (waitress): a request behind a refused one was answered in a race."""
    for _ in range(20):
        received = server.send(post(b"Content-Length: x\r\n"), SMUGGLED * 3)
        assert statuses(received) == [400]


def test_cve_2024_49769_broken_connections_cost_nothing(server: Any) -> None:
    """CVE-2024-49769 (waitress): connections that were reset at once kept the server busy."""
    for _ in range(100):
        client = server.connect()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        client.close()

    assert server.answers()


def test_cve_2022_31015_clients_that_leave_stop_no_server(server: Any) -> None:
    """CVE-2022-31015 (waitress): a client that left during its answer stopped the server."""
    for _ in range(50):
        with server.connect() as client:
            client.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n" * 4)

    assert server.answers()


def test_cve_2007_6750_slow_heads_are_closed(server: Any) -> None:
    """CVE-2007-6750 (Apache, "Slowloris"): heads that never end held all connections."""
    slow = [server.connect() for _ in range(50)]
    for client in slow:
        client.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\n")
    assert server.answers()

    end = time.monotonic() + 8
    for client in slow:
        client.settimeout(max(0.1, end - time.monotonic()))
        assert client.recv(10) == b""
        client.close()


def test_cwe_770_a_head_has_a_largest_size(server: Any) -> None:
    """CWE-770: a head of any size was kept in memory."""
    received = server.send(b"GET / HTTP/1.1\r\nHost: a\r\n" + b"X: " + b"y" * 100_000 + b"\r\n\r\n")

    assert statuses(received) in ([400], [431])


@pytest.mark.parametrize("method", [b"TRACK", b"CONNECT", b"DEBUG", b"PROPFIND", b"get", b"GET\t"])
def test_cve_2003_1567_other_methods_echo_nothing(server: Any, method: bytes) -> None:
    """CVE-2003-1567 (IIS): TRACK returned the request with the credentials in its headers."""
    received = server.send(method + b" /api/about HTTP/1.1\r\nHost: a\r\nCookie: secret\r\n\r\n")

    assert b"secret" not in received
    assert statuses(received)[0] in (400, 404, 501)


def test_cve_2015_0219_underscores_are_no_dashes(server: Any) -> None:
    """CVE-2015-0219 (Django): X-Auth_User and X-Auth-User were one header for the application."""
    head = b"GET /api/auth/check HTTP/1.1\r\nHost: a\r\nContent_Length: 5\r\n\r\n"

    assert statuses(server.send(head)) in ([400], [401])


def test_cve_2016_5385_a_header_is_no_setting(server: Any) -> None:
    """CVE-2016-5385 ("httpoxy"): the header Proxy became the variable HTTP_PROXY."""
    received = server.send(b"GET /healthz HTTP/1.1\r\nHost: a\r\nProxy: 127.0.0.1:9\r\n\r\n")

    assert statuses(received) == [200]


def test_cve_2019_9740_a_path_adds_no_header(server: Any) -> None:
    """CVE-2019-9740 (CPython): line ends in an address added headers to a message."""
    for path in (b"/api/news?a=%0d%0aSet-Cookie:%20a=b", b"/api/news/a%0aLocation:%20//evil"):
        head = server.send(b"GET %b HTTP/1.1\r\nHost: a\r\n\r\n" % path).partition(b"\r\n\r\n")[0]
        assert b"\nSet-Cookie" not in head
        assert b"\nLocation" not in head


def test_cve_2021_41773_no_path_leads_out(server: Any) -> None:
    """CVE-2021-41773 (Apache): encoded dots led out of the folder of the website."""
    for path in (b"/../../etc/passwd", b"/.%2e/%2e%2e/etc/passwd", b"/api/..%2f..%2fauth.secret"):
        received = server.send(b"GET %b HTTP/1.1\r\nHost: a\r\n\r\n" % path)
        assert statuses(received)[0] in (400, 404)


def test_cwe_400_an_expected_continue_costs_no_thread(server: Any) -> None:
    """CWE-400: clients that wait for "100 Continue" and send nothing held the threads."""
    head = post(b"Content-Length: 9\r\nExpect: 100-continue\r\n", body=b"")
    waiting = [server.connect() for _ in range(20)]
    for client in waiting:
        client.sendall(head)

    assert server.answers()
    for client in waiting:
        client.close()
