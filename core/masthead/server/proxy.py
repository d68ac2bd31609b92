"""Trusted reverse proxies: the client's address and scheme from their headers."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import ip_address
from typing import TYPE_CHECKING

from masthead.server.options import Network

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

_FORWARDED = (
    "HTTP_FORWARDED",
    "HTTP_X_FORWARDED_BY",
    "HTTP_X_FORWARDED_FOR",
    "HTTP_X_FORWARDED_HOST",
    "HTTP_X_FORWARDED_PORT",
    "HTTP_X_FORWARDED_PROTO",
)


def behind_proxies(app: WSGIApplication, trusted: tuple[Network, ...]) -> WSGIApplication:
    """Wrap ``app`` and apply ``X-Forwarded-For`` and ``-Proto`` if a trusted proxy sent them.

    The client is the rightmost address that is not a trusted proxy; anybody can forge the
    addresses left of it. The headers are removed from the environ.
    """

    def proxied(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        sent = {name: environ.pop(name, "") for name in _FORWARDED}
        if _trusts(trusted, environ["REMOTE_ADDR"]):
            hops = reversed(sent["HTTP_X_FORWARDED_FOR"].split(","))
            chain = (_address(hop) for hop in hops)
            client = next((hop for hop in chain if not _trusts(trusted, hop)), "")
            if client:
                environ["REMOTE_ADDR"] = environ["REMOTE_HOST"] = client
            scheme = sent["HTTP_X_FORWARDED_PROTO"].rpartition(",")[2].strip().lower()
            if scheme in ("http", "https"):
                environ["wsgi.url_scheme"] = scheme
        return app(environ, start_response)

    return proxied


def _address(hop: str) -> str:
    """Parse ``192.0.2.1``, ``192.0.2.1:80``, ``2001:db8::1`` or ``[2001:db8::1]:80``."""
    hop = hop.strip().strip('"')
    if hop.startswith("["):
        hop = hop[1:].partition("]")[0]
    elif hop.count(":") == 1:
        hop = hop.partition(":")[0]
    try:
        return str(ip_address(hop))
    except ValueError:
        return ""


def _trusts(trusted: tuple[Network, ...], address: str) -> bool:
    return bool(address) and any(ip_address(address) in network for network in trusted)
