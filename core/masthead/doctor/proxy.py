"""Calls the public address of the instance, and compares how the server sees this visitor."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

from masthead.doctor.calls import CallError, call_server
from masthead.doctor.views import show_visitor
from masthead.instance import Instance
from masthead.server.options import TRUSTED_PROXIES

_FORGED = "192.0.2.77"
"""An address of the documentation (RFC 5737), which no visitor has."""
_PASSES_ON = (
    'let it append the address, as nginx does with "proxy_set_header X-Forwarded-For'
    ' $proxy_add_x_forwarded_for"'
)


def visitor_trouble(instance: Instance, url: str) -> str | None:
    """Return why the server doesn't see the address or the scheme of a visitor.

    :param url: the public address of the instance.
    """
    try:
        answer = call_server(instance, url, show_visitor, {"X-Forwarded-For": _FORGED})
    except CallError as error:
        return f"{url} doesn't answer as it should: {error}"
    own, seen, scheme = answer.own, str(answer.body["address"]), str(answer.body["scheme"])
    trusted = instance.settings[TRUSTED_PROXIES]
    if any(ip_address(own) in network for network in trusted):
        return (
            f"this machine reaches {url} from {own}, which is a trusted proxy, so nothing can"
            " be compared; run masthead doctor --url on another machine of the instance"
        )
    if seen == _FORGED:
        return (
            f"visitors can forge their address: the proxy passes X-Forwarded-For on; {_PASSES_ON}"
        )
    if seen != own and not ip_address(seen).is_global:
        return (
            f"the server sees {seen} instead of {own}: if that is the proxy, add it to"
            f" {TRUSTED_PROXIES.name}, and {_PASSES_ON}"
        )
    if scheme != urlsplit(url).scheme:
        return (
            f"the server sees {scheme} instead of {urlsplit(url).scheme}: let the proxy send"
            " X-Forwarded-Proto"
        )
    return None
