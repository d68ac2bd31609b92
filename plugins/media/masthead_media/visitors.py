"""Identify visitors by the networks of their addresses."""

from __future__ import annotations

import hashlib
from ipaddress import IPv6Address, IPv6Network, ip_address

_PREFIX = 64
"""The bits of an IPv6 address that identify a connection; its owner chooses the others."""


def visitor_of(address: str | None) -> str | None:
    """Return a hash that identifies the visitor with an IP address; None if it isn't known."""
    try:
        found = ip_address(address or "")
    except ValueError:
        return None
    if isinstance(found, IPv6Address):
        found = found.ipv4_mapped or IPv6Network((int(found), _PREFIX), strict=False)[0]
    return hashlib.sha256(str(found).encode()).hexdigest()
