"""A visitor is the network that an address belongs to."""

from __future__ import annotations

import pytest

from masthead_media.visitors import visitor_of


@pytest.mark.parametrize(
    ("address", "other"),
    [
        ("192.0.2.1", "::ffff:192.0.2.1"),
        ("2001:db8::1", "2001:0DB8:0:0:ffff:ffff:ffff:ffff"),
        ("fe80::1%eth0", "fe80::2%eth1"),
    ],
)
def test_addresses_of_a_network_are_one_visitor(address: str, other: str) -> None:
    assert visitor_of(address) == visitor_of(other) is not None


@pytest.mark.parametrize(
    ("address", "other"),
    [("192.0.2.1", "192.0.2.2"), ("2001:db8::1", "2001:db8:0:1::1"), ("::1", "127.0.0.1")],
)
def test_addresses_of_other_networks_are_other_visitors(address: str, other: str) -> None:
    assert visitor_of(address) != visitor_of(other)


@pytest.mark.parametrize("address", [None, "", "localhost", "192.0.2.1:80", "unix:", "٣.1.1.1"])
def test_without_an_address_a_visitor_is_unknown(address: str | None) -> None:
    assert visitor_of(address) is None
