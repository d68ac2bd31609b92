"""Attached files of entries, as feed validators want them."""

from __future__ import annotations

import re
from urllib.parse import quote, urlsplit, urlunsplit

from masthead_feeds.rss import Attachment

_MEDIA_TYPE = re.compile(r"[a-z0-9!#$&^_.+-]{1,127}/[a-z0-9!#$&^_.+-]{1,127}", re.IGNORECASE)
_UNRESERVED = "/;:@&=+$,!~*'()%"


def attachment(address: str, media_type: str, size: int) -> Attachment | None:
    """Return the enclosure for a file, or None if it would be invalid.

    A valid one has an address of HTTP in ASCII, a media type such as ``audio/mpeg``, and a size.
    """
    uri = _in_ascii(address)
    if uri is None or size < 1 or not _MEDIA_TYPE.fullmatch(media_type):
        return None
    return Attachment(uri, media_type, size)


def _in_ascii(address: str) -> str | None:
    """Return an address with other characters encoded (RFC 3986); None if it isn't one of HTTP."""
    try:
        parts = urlsplit(address)
        host = parts.netloc.encode("idna").decode() if parts.netloc else ""
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not host:
        return None
    path, query = quote(parts.path, _UNRESERVED), quote(parts.query, _UNRESERVED + "?")
    return urlunsplit((parts.scheme, host, path, query, ""))
