"""Streams of live events from a real server, which keeps no thread for them."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

pytestmark = pytest.mark.slow
STREAMS = 200
USERS = "/api/staff/users"
TOO_LONG = 60.0


class Listener:
    """A client with an open stream."""

    def __init__(self, site: Any, token: str, query: str = "", version: str = "1.1") -> None:
        parts = urlsplit(site.address)
        self._socket = socket.create_connection((parts.hostname, parts.port), timeout=TOO_LONG)
        head = f"GET /api/staff/live-events{query} HTTP/{version}\r\nHost: {parts.netloc}\r\n"
        self._socket.sendall(f"{head}Authorization: Bearer {token}\r\n\r\n".encode())
        self.received = b""

    def wait_for(self, wanted: bytes, times: int = 1) -> None:
        """Read until some bytes have arrived."""
        while self.received.count(wanted) < times:
            data = self._socket.recv(65_536)
            assert data, self.received
            self.received += data

    def ends(self) -> bool:
        """Whether the server ends the stream."""
        while data := self._socket.recv(65_536):
            self.received += data
        return True

    def close(self) -> None:
        self._socket.close()


def threads_of(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("Threads:")[1].split()[0])


@pytest.fixture
def opened() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def make_admins(site: Any, number: int) -> list[str]:
    """Start the site, and return the tokens of a number of administrators."""
    site.start("--processes", "1")
    password = site.printed_value("password")
    token = site.log_in("admin", password)
    tokens = [token]
    for each in range(1, number):
        name, roles = f"u{each}", ["admin"]
        user = {"username": name, "password": password, "roles": roles, "email": f"{name}@a.test"}
        assert site.ask("POST", USERS, user, token).status == 200
        tokens.append(site.log_in(name, password))
    return tokens


def test_two_hundred_streams_cost_one_thread_and_get_every_change(
    site: Any, opened: ExitStack
) -> None:
    tokens = make_admins(site, STREAMS // 20)
    token = tokens[0]
    item = site.ask("POST", "/api/staff/news", {"title": "A"}, token).json["id"]
    for _ in range(20):
        site.ask("GET", "/api/staff/news", token=token)
    before = threads_of(site.pid)

    listeners = [
        Listener(site, tokens[number % len(tokens)], f"?watch=news:{item}")
        for number in range(STREAMS)
    ]
    for each in listeners:
        opened.callback(each.close)
        each.wait_for(b'"etag":"1"')
        assert b"retry: 3000" in each.received
    assert threads_of(site.pid) <= before + 1
    site.ask("PUT", f"/api/staff/news/{item}", {"title": "B"}, token)
    for each in listeners:
        each.wait_for(b'"etag":"2"')
    # The server answers others meanwhile, and one stream too many is answered at once.
    assert site.ask("GET", "/api/staff/news", token=token).status == 200
    further = Listener(site, tokens[0])
    opened.callback(further.close)
    further.wait_for(b"retry: 5000")

    ids = {user["username"]: user["id"] for user in site.ask("GET", USERS, token=token).json}
    site.ask("PUT", f"{USERS}/{ids['u1']}", {"disabled": True}, token)
    assert all(each.ends() for each in listeners[1 :: len(tokens)])
    site.ask("PUT", f"/api/staff/news/{item}", {"title": "C"}, token)
    listeners[0].wait_for(b'"etag":"3"')
    assert site.terminate() == 0


def test_a_client_of_http_1_0_follows_too(site: Any, opened: ExitStack) -> None:
    [token] = make_admins(site, 1)
    item = site.ask("POST", "/api/staff/news", {"title": "A"}, token).json["id"]
    listener = Listener(site, token, "?types=news", "1.0")
    opened.callback(listener.close)
    listener.wait_for(b'"contentType":"news"')
    assert b"Transfer-Encoding" not in listener.received
    asked = {"contentType": "news", "contentId": item, "comment": "Now"}

    site.ask("POST", "/api/staff/approval/request", asked, token)

    # One reading may see the notification, and the next one the change, or the reverse.
    listener.wait_for(b'"unread":1,')
    listener.wait_for(b'"contentType":"news"', times=2)
    lines = [each for each in listener.received.split(b"\n") if each.startswith(b"data: ")]
    told = [json.loads(line[6:]) for line in lines]
    [noticed] = [each for each in told if each.get("unread")]
    [notification] = site.ask("GET", "/api/staff/notifications", token=token).json
    assert noticed == {"unread": 1, "latest": notification["id"]}
    assert (notification["contentType"], notification["contentId"]) == ("news", item)
    time.sleep(1.5)
    listener.close()
    assert site.ask("GET", "/api/staff/news", token=token).status == 200
    assert site.terminate() == 0
