"""Connections to public addresses only, whatever the name of a host leads to."""

from __future__ import annotations

import socket
import time
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network

from masthead_webhooks.settings import Network

_GLOBAL_UNICAST = IPv6Network("2000::/3")
_NAT64 = IPv6Network("64:ff9b::/96")
_SPECIAL = tuple(
    ip_network(each)
    for each in (
        "168.63.129.16/32",  # the metadata service of Azure
        "192.0.0.0/24",
        "192.88.99.0/24",
        "2001::/23",
        "2002::/16",
        "3fff::/20",
    )
)
"""Networks that aren't public, or lead to any IPv4 address; Python knows only some of them."""


class RefusedAddressError(Exception):
    """A host has an address that webhooks may not call."""


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Whether an address belongs to a host on the internet."""
    if isinstance(address, IPv4Address):
        is_global = address.is_global and not address.is_multicast
    elif address in _NAT64:
        return is_public(IPv4Address(int(address) & 0xFFFFFFFF))
    else:
        is_global = address.is_global and address in _GLOBAL_UNICAST
    return is_global and not any(address in network for network in _SPECIAL)


def connect(
    host: str, port: int, timeout: float, allowed_networks: Sequence[Network]
) -> socket.socket:
    """Connect to a host, after all its addresses were checked.

    The name is resolved once, and the connection goes to an address of that answer: a second answer
    could be another one.

    :param timeout: the seconds that the connecting may take.
    :raises RefusedAddressError: if one of the addresses is neither public nor in a network.
    :raises OSError: if the name or no address works.
    """
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    for *_, place in found:
        _check(str(place[0]), allowed_networks)
    deadline = time.monotonic() + timeout
    last: OSError | None = None
    for family, kind, protocol, _, place in found:
        try:
            return _open(family, kind, protocol, place, max(0.1, deadline - time.monotonic()))
        except OSError as error:
            last = error
    raise last or OSError("The host has no address")


def _check(text: str, allowed_networks: Sequence[Network]) -> None:
    address = ip_address(text.partition("%")[0])
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    if not is_public(address) and not any(address in network for network in allowed_networks):
        raise RefusedAddressError(f"The host's address {address} isn't public")


def _open(
    family: int, kind: int, protocol: int, place: tuple[object, ...], timeout: float
) -> socket.socket:
    connection = socket.socket(family, kind, protocol)
    try:
        connection.settimeout(timeout)
        connection.connect(place)
    except OSError:
        connection.close()
        raise
    return connection
