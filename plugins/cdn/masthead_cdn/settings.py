"""The settings of the plugin."""

from __future__ import annotations

import re
from typing import Any

from masthead import Setting, integer, text, url, words

_SENDABLE = re.compile(r"[!-~]*")


def _urls(value: str) -> tuple[str, ...]:
    """Parse addresses separated by blanks.

    :raises ValueError: for a word that is no address.
    """
    return tuple(dict.fromkeys(url(word) for word in words(value)))


def _token(value: str) -> str:
    """Parse a token that is sent in a header.

    :raises ValueError: for one that can't be, such as the dots of an example.
    """
    found = text(value)
    if not _SENDABLE.fullmatch(found):
        raise ValueError("letters, digits or signs without blanks")
    return found


VARNISH_URLS = Setting(
    "masthead.cdn.varnish_urls",
    _urls,
    "",
    "Addresses of all Varnish servers in front of Masthead, separated by blanks, such as"
    " http://10.0.0.5:6081; blank for none.",
    shows=False,
)
FASTLY_SERVICE = Setting(
    "masthead.cdn.fastly_service",
    text,
    "",
    "The id of the Fastly service in front of Masthead; blank for none.",
    shows=False,
)
FASTLY_TOKEN = Setting(
    "masthead.cdn.fastly_token",
    _token,
    "",
    "An API token of Fastly that may purge the service.",
    secret=True,
    shows=False,
)
FASTLY_URL = Setting(
    "masthead.cdn.fastly_url",
    url,
    "https://api.fastly.com",
    "Address of Fastly's API.",
    shows=False,
)
CLOUDFLARE_ZONE = Setting(
    "masthead.cdn.cloudflare_zone",
    text,
    "",
    "The id of the Cloudflare zone in front of Masthead; blank for none.",
    shows=False,
)
CLOUDFLARE_TOKEN = Setting(
    "masthead.cdn.cloudflare_token",
    _token,
    "",
    "An API token of Cloudflare with the permission Cache Purge for the zone.",
    secret=True,
    shows=False,
)
CLOUDFLARE_URL = Setting(
    "masthead.cdn.cloudflare_url",
    url,
    "https://api.cloudflare.com/client/v4",
    "Address of Cloudflare's API.",
    shows=False,
)
REPEAT_AFTER = Setting(
    "masthead.cdn.repeat_after",
    integer(0, 600),
    "5",
    "Seconds after a change when its keys are purged a second time, because an answer from before"
    " the change may reach the cache after the first purge; 0 for never.",
    shows=False,
)
TIMEOUT = Setting(
    "masthead.cdn.timeout",
    integer(1, 60),
    "10",
    "Seconds that a cache or its API has to answer a purge.",
    shows=False,
)
SETTINGS: list[Setting[Any]] = [
    VARNISH_URLS,
    FASTLY_SERVICE,
    FASTLY_TOKEN,
    FASTLY_URL,
    CLOUDFLARE_ZONE,
    CLOUDFLARE_TOKEN,
    CLOUDFLARE_URL,
    REPEAT_AFTER,
    TIMEOUT,
]
