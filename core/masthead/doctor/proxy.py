"""Calls the public address of the instance, and compares how the server sees this visitor."""

from __future__ import annotations

import json
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlencode, urlsplit

from masthead.doctor.views import proof_of, show_visitor
from masthead.instance import Instance
from masthead.server.options import TRUSTED_PROXIES

_SECONDS = 8.0
_FORGED = "192.0.2.77"
"""An address of the documentation (RFC 5737), which no visitor has."""
_PASSES_ON = (
    'let it append the address, as nginx does with "proxy_set_header X-Forwarded-For'
    ' $proxy_add_x_forwarded_for"'
)


@dataclass(frozen=True)
class _Visit:
    own: str
    """The address of this machine in the connection."""
    seen: str
    """The address that the server saw."""
    scheme: str


def visitor_trouble(instance: Instance, url: str) -> str | None:
    """Return why the server doesn't see the address or the scheme of a visitor.

    :param url: the public address of the instance.
    """
    try:
        visit = _visit(url, proof_of(instance))
    except (OSError, HTTPException, ValueError) as error:
        return f"{url} doesn't answer as it should: {str(error) or type(error).__name__}"
    trusted = instance.settings[TRUSTED_PROXIES]
    if any(ip_address(visit.own) in network for network in trusted):
        return (
            f"this machine reaches {url} from {visit.own}, which is a trusted proxy, so nothing can"
            " be compared; run masthead doctor --url on another machine of the instance"
        )
    if visit.seen == _FORGED:
        return (
            f"visitors can forge their address: the proxy passes X-Forwarded-For on; {_PASSES_ON}"
        )
    seen = ip_address(visit.seen)
    if visit.seen != visit.own and not seen.is_global:
        return (
            f"the server sees {visit.seen} instead of {visit.own}: if that is the proxy, add it to"
            f" {TRUSTED_PROXIES.name}, and {_PASSES_ON}"
        )
    if visit.scheme != urlsplit(url).scheme:
        return (
            f"the server sees {visit.scheme} instead of {urlsplit(url).scheme}: let the proxy send"
            " X-Forwarded-Proto"
        )
    return None


def _visit(url: str, proof: str) -> _Visit:
    """Ask the server how it sees this visitor, who forges a header.

    :raises OSError: if it can't be reached.
    :raises ValueError: for another answer than the expected one.
    """
    parts = urlsplit(url)
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    connection = kind(parts.hostname or "", parts.port, timeout=_SECONDS)
    try:
        connection.connect()
        own = str(connection.sock.getsockname()[0])
        path = f"{parts.path.rstrip('/')}{show_visitor.path}?{urlencode({'proof': proof})}"
        connection.request("GET", path, headers={"X-Forwarded-For": _FORGED})
        answer = connection.getresponse()
        body = answer.read(65_536)
    finally:
        connection.close()
    if answer.status != 200:
        hint = "; it is an instance with other secrets, or another clock"
        raise ValueError(f"it answers {answer.status}{hint if answer.status == 403 else ''}")
    found: dict[str, Any] = json.loads(body)
    return _Visit(own, str(found["address"]), str(found["scheme"]))
