from __future__ import annotations

from typing import Any

import pytest

from masthead.server.options import networks
from masthead.server.proxy import behind_proxies

TRUSTED = networks("127.0.0.1 10.0.0.0/8 ::1")


def seen(peer: str, **headers: Any) -> Any:
    """Return the client and the scheme that the application gets."""
    environ = {"REMOTE_ADDR": peer, "wsgi.url_scheme": "http"}
    environ |= {f"HTTP_X_FORWARDED_{name.upper()}": value for name, value in headers.items()}
    told = {}

    def app(environ: Any, _start_response: Any) -> Any:
        told.update(environ)
        return []

    behind_proxies(app, TRUSTED)(environ, lambda *_: None)
    assert not [name for name in told if "FORWARDED" in name]
    return told["REMOTE_ADDR"], told["wsgi.url_scheme"]


@pytest.mark.parametrize(
    ("sent", "client"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("192.0.2.1:5000", "192.0.2.1"),
        ("2001:db8::1", "2001:db8::1"),
        ('"[2001:db8::1]:5000"', "2001:db8::1"),
        ("6.6.6.6, 192.0.2.1", "192.0.2.1"),
        ("6.6.6.6, 192.0.2.1, 10.1.1.1", "192.0.2.1"),
        ("10.1.1.1", "127.0.0.1"),
        ("6.6.6.6, nonsense\r\n", "127.0.0.1"),
        ("", "127.0.0.1"),
    ],
)
def test_a_trusted_proxy_sets_the_client(sent: Any, client: Any) -> None:
    assert seen("127.0.0.1", **{"for": sent}) == (client, "http")


@pytest.mark.parametrize(
    ("sent", "scheme"), [("https", "https"), ("http, HTTPS", "https"), ("gopher", "http")]
)
def test_a_trusted_proxy_says_the_scheme(sent: Any, scheme: str) -> None:
    assert seen("::1", proto=sent) == ("::1", scheme)


def test_headers_of_other_clients_are_ignored() -> None:
    assert seen("192.0.2.9", **{"for": "6.6.6.6"}, proto="https", host="evil") == (
        "192.0.2.9",
        "http",
    )


@pytest.mark.slow
def test_the_server_applies_its_setting(start: Any) -> None:
    server = start(trusted_proxies="127.0.0.0/8")

    told = server.get(headers={"X-Forwarded-For": "192.0.2.1", "X-Forwarded-Proto": "https"}).json

    assert (told["client"], told["scheme"]) == ("192.0.2.1", "https")
    assert server.logged("GET /").startswith("masthead.access 192.0.2.1 ada ")


def test_without_the_setting_no_proxy_is_trusted(server: Any) -> None:
    assert server.get(headers={"X-Forwarded-For": "192.0.2.1"}).json["client"] == "127.0.0.1"
