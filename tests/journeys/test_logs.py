"""The log of a server, which never contains secrets."""

from __future__ import annotations

import json
import socket
from typing import Any
from urllib.parse import urlsplit

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.any_database]

LINKS = ("/api/newsletter/unsubscribe/", "/api/newsletter/confirm/")
SECRET = "7-hush_hush"


def send(address: str, head: str) -> bytes:
    """Send a malformed request."""
    parts = urlsplit(address)
    with socket.create_connection((parts.hostname, parts.port), timeout=15) as client:
        client.sendall(head.encode())
        return client.recv(65536)


@pytest.mark.parametrize("log_format", ["text", "json"])
def test_the_secret_of_a_link_is_never_logged(log_format: str, site: Any) -> None:
    site.environ["MASTHEAD_LOG_FORMAT"] = log_format
    site.start()

    for link in LINKS:
        for method in ("GET", "HEAD", "POST", "OPTIONS", "PUT", "DELETE"):
            site.ask(method, link + SECRET)
        for odd in (f"{link}{SECRET}/", f"//{link}/{SECRET}", f"{link}{SECRET}?token={SECRET}"):
            site.ask("GET", odd)
        site.ask("GET", f"{link}{SECRET}{'x' * 5000}")
        for header in ("Content-Length: x", "Transfer-Encoding: gzip", "no header"):
            answer = send(
                site.address, f"POST {link}{SECRET} HTTP/1.1\r\nHost: a\r\n{header}\r\n\r\n"
            )
            assert b" 400 Bad Request" in answer
    assert site.terminate() == 0

    assert SECRET not in site.log
    lines = site.log.splitlines()
    for link in LINKS:
        assert len([line for line in lines if f"{link}:secret" in line]) == 13, site.log
    if log_format == "json":
        assert all(json.loads(line) for line in lines)
