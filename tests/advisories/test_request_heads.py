"""Reports about heads of requests: costly lines, ambiguous hosts, and versions."""

from __future__ import annotations

import time
from typing import Any

import pytest

from masthead.testing import Client

GET = b"GET /api/about HTTP/1.1\r\n"


def status(received: bytes) -> int:
    """Return the status of the first answer."""
    return int(received[9:12])


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    [
        b"X:" + b" " * 60_000 + b"x",
        b"X: " + b"x" * 60_000 + b"\x10",
        b"X: " + b"a \t" * 20_000 + b"\x7f",
        b" " * 60_000,
        b"X" * 60_000,
        b"X: " + b"\x80" * 60_000 + b"\0",
        b"Cookie: " + b"a=;" * 20_000,
        b"If-None-Match: " + b'"a", ' * 12_000,
        b"Authorization: Bearer " + b"." * 60_000,
        b"Content-Type: multipart/form-data; a=" + b'"\\' * 30_000,
    ],
    ids=lambda line: line[:20],
)
def test_cve_2020_5236_no_head_takes_long(server: Any, line: bytes) -> None:
    """CVE-2020-5236 (waitress): a pattern for lines of a head took exponential time."""
    began = time.monotonic()

    received = server.send(GET + b"Host: a\r\n" + line + b"\r\n\r\n")

    assert status(received) in (200, 304, 400, 401, 431)
    assert time.monotonic() - began < 3
    assert server.answers()


@pytest.mark.slow
@pytest.mark.parametrize(
    "hosts",
    [b"", b"Host: a\r\nHost: b\r\n", b"Host: a b\r\n", b"Host: a/b\r\n", b"Host: a@b\r\n"],
)
def test_rfc_9112_3_2_a_request_has_one_host(server: Any, hosts: bytes) -> None:
    """RFC 9112, section 3.2: servers and caches disagreed about which Host counts."""
    assert status(server.send(GET + hosts + b"\r\n")) == 400


@pytest.mark.slow
@pytest.mark.parametrize(
    "version", [b"HTTP/0.9", b"HTTP/1.2", b"HTTP/2.0", b"HTTP/11.1", b"http/1.1"]
)
def test_rfc_9112_2_3_other_versions_are_refused(server: Any, version: bytes) -> None:
    """RFC 9112, section 2.3: a server read a version that it doesn't know in its own way."""
    received = server.send(b"GET /api/about %b\r\nHost: a\r\n\r\n" % version)

    assert received == b"" or status(received) in (400, 505)


@pytest.mark.slow
@pytest.mark.parametrize(
    "lines",
    [
        b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        b"Transfer-Encoding: \r\n",
        b"Transfer-Encoding: ,chunked\r\n",
        b"Transfer-Encoding:\r\n chunked\r\n",
        b"X: a\r\n b\r\nContent-Length: 0\r\n",
        b"Content-Length: \r\n",
        b"Content-Length: 0, 0\r\n",
    ],
)
def test_cve_2020_8287_lines_of_the_framing_have_one_form(server: Any, lines: bytes) -> None:
    """CVE-2020-8287, CVE-2022-32215 (Node.js), CVE-2023-40225 (HAProxy): odd lines of framing."""
    received = server.send(b"POST /api/contact HTTP/1.1\r\nHost: a\r\n" + lines + b"\r\n0\r\n\r\n")

    assert status(received) in (400, 501)
    assert received.count(b"HTTP/1.") == 1


@pytest.mark.slow
def test_cwe_770_an_upload_is_refused_from_its_head(server: Any) -> None:
    """CWE-770: an upload without a token was received completely before it was refused."""
    head = b"POST /api/staff/upload/image HTTP/1.1\r\nHost: a\r\n"
    head += b"Content-Type: multipart/form-data; boundary=B\r\nContent-Length: 20000000\r\n\r\n"

    assert status(server.send(head + b"--B\r\n")) == 401


def test_cwe_41_several_slashes_are_no_other_address(app: Client) -> None:
    """CWE-41: "//api/news" went around the rules of a proxy for "/api/news"."""
    for path in ("//api/about", "///api/about", "/api//about", "//api/staff/news"):
        app.get("/", extra_environ={"PATH_INFO": path}, status=404)
