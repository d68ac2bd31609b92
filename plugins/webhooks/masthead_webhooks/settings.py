"""The settings of the plugin."""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Any

from masthead import Setting, boolean, integer, words

Network = IPv4Network | IPv6Network


def _networks(value: str) -> Sequence[Network]:
    """Parse networks such as ``10.2.0.0/16``.

    :raises ValueError: for any other word.
    """
    try:
        return tuple(ip_network(word) for word in words(value))
    except ValueError:
        raise ValueError("networks such as 10.2.0.0/16 that are separated by blanks") from None


ALLOWED_NETWORKS = Setting(
    "masthead.webhooks.allowed_networks",
    _networks,
    "",
    "Networks that aren't public and that webhooks may call nevertheless, separated by blanks, such"
    " as 10.2.0.0/16; blank means none.",
    shows=False,
)
ALLOW_HTTP = Setting(
    "masthead.webhooks.allow_http",
    boolean,
    "false",
    "Whether webhooks may have addresses with http, which isn't encrypted.",
    shows=False,
)
TIMEOUT = Setting(
    "masthead.webhooks.timeout",
    integer(1, 30),
    "10",
    "Seconds that a webhook has to answer a call completely.",
    shows=False,
)
AT_ONCE = Setting(
    "masthead.webhooks.at_once",
    integer(1, 100),
    "8",
    "The number of webhooks that are called at the same time.",
    shows=False,
)
RETENTION = Setting(
    "masthead.webhooks.retention",
    integer(1, 3650),
    "30",
    "Days for which the log keeps deliveries of webhooks.",
    shows=False,
)
SWITCH_OFF = Setting(
    "masthead.webhooks.switch_off",
    integer(1, 365),
    "5",
    "Days of failures after which a webhook is switched off.",
    shows=False,
)
OVERLAP = Setting(
    "masthead.webhooks.overlap",
    integer(0, 720),
    "24",
    "Hours for which calls are also signed with the former secret of a webhook after a rotation.",
    shows=False,
)
SETTINGS: list[Setting[Any]] = [
    ALLOWED_NETWORKS,
    ALLOW_HTTP,
    TIMEOUT,
    AT_ONCE,
    RETENTION,
    SWITCH_OFF,
    OVERLAP,
]
