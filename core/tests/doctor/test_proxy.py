"""``masthead doctor --url`` compares the address of a visitor with that which the server sees."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_network
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

import pytest

from masthead import Instance
from masthead.checking.running import Finding
from masthead.doctor.proxy import visitor_trouble
from masthead.doctor.running_server import with_server_findings
from masthead.doctor.views import proof_of, show_server_status, show_visitor
from masthead.http.endpoints import Endpoint
from masthead.server.options import TRUSTED_PROXIES
from masthead.server.proxy import behind_proxies
from masthead.testing import Client
from masthead.web.app import app_of

PROXY = "127.0.0.3"
"""The address from which the proxy of the tests connects to the server."""


class Quiet(WSGIRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def running(server: Any) -> Iterator[int]:
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def proxy_to(port: int, forwarded: str | None) -> ThreadingHTTPServer:
    """A proxy that sends X-Forwarded-For: "append", "pass" the visitor's on, or none."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            sent = self.headers["X-Forwarded-For"]
            kept = {
                "append": {"X-Forwarded-For": f"{sent}, {self.client_address[0]}"},
                "pass": {"X-Forwarded-For": sent},
            }
            connection = http.client.HTTPConnection(
                "127.0.0.1", port, source_address=(PROXY, 0), timeout=10
            )
            connection.request("GET", self.path, headers=kept.get(forwarded or "", {}))
            answer = connection.getresponse()
            body = answer.read()
            connection.close()
            self.send_response(answer.status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    return ThreadingHTTPServer(("127.0.0.1", 0), Handler)


@pytest.fixture
def start(instance: Instance, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Start a server behind a proxy, and return the address of the proxy."""
    with ExitStack() as opened:

        def begin(trusted: str, forwarded: str | None) -> str:
            networks = tuple(ip_network(each) for each in trusted.split())
            monkeypatch.setitem(instance.settings._values, TRUSTED_PROXIES.name, networks)
            server = WSGIServer(("127.0.0.1", 0), Quiet)
            server.set_app(behind_proxies(app_of(instance), networks))
            port = opened.enter_context(running(server))
            return f"http://127.0.0.1:{opened.enter_context(running(proxy_to(port, forwarded)))}"

        yield begin


@pytest.mark.parametrize(
    ("trusted", "forwarded", "trouble"),
    [
        (PROXY, "append", None),
        ("", "append", f"the server sees {PROXY} instead of 127.0.0.1"),
        (PROXY, None, f"the server sees {PROXY} instead of 127.0.0.1"),
        (PROXY, "pass", "visitors can forge their address"),
        (f"{PROXY} 127.0.0.1", "append", "which is a trusted proxy, so nothing can be compared"),
    ],
)
def test_the_address_of_a_visitor_must_arrive(
    start: Any, instance: Instance, trusted: str, forwarded: str | None, trouble: str | None
) -> None:
    found = visitor_trouble(instance, start(trusted, forwarded))

    assert found == trouble if trouble is None else trouble in (found or "")


def test_an_address_where_nobody_answers_is_named(instance: Instance) -> None:
    found = visitor_trouble(instance, "http://127.0.0.1:9")

    assert found is not None
    assert found.startswith("http://127.0.0.1:9 doesn't answer as it should: ")


@pytest.mark.parametrize("content", [b'{"status": "ok"}', b"[]", b"<p>Hello</p>", b""])
def test_another_program_at_the_address_is_noticed(instance: Instance, content: bytes) -> None:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    passed = [Finding("writes", "ok")]
    with running(ThreadingHTTPServer(("127.0.0.1", 0), Handler)) as port:
        url = f"http://127.0.0.1:{port}"

        assert "doesn't answer as it should" in (visitor_trouble(instance, url) or "")
        assert with_server_findings(instance, passed, url) == passed


@pytest.mark.parametrize("endpoint", [show_visitor, show_server_status])
def test_an_endpoint_answers_only_who_knows_the_secret(
    app: Client, instance: Instance, endpoint: Endpoint
) -> None:
    assert app.get(endpoint.path, {"proof": proof_of(instance, endpoint)}).json
    time, signature = proof_of(instance, endpoint).split(".")
    [other] = {show_visitor, show_server_status} - {endpoint}
    wrong = ["x", "1.x", f"{time}.x", f"1.{signature}", f"{int(time) - 1}.{signature}"]
    for proof in [*wrong, proof_of(instance, other)]:
        app.get(endpoint.path, {"proof": proof}, status=403)


def test_the_endpoints_show_the_caller_and_the_status(app: Client, instance: Instance) -> None:
    seen = app.get(show_visitor.path, {"proof": proof_of(instance, show_visitor)}).json
    status = app.get(show_server_status.path, {"proof": proof_of(instance, show_server_status)})

    assert seen == {"address": "127.0.0.1", "scheme": "http"}
    assert status.json == app.as_role("admin").get("/status").json
