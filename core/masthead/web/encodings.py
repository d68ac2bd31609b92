"""Compressed forms of public answers, chosen by ``Accept-Encoding`` (RFC 9110 section 12.5.3).

Only answers from the cache are compressed, each once per content coding. They have no secrets.
Compressed answers to staff could reveal some, because their size depends on secret text and on
text that an attacker chooses (the attack BREACH).
"""

from __future__ import annotations

import re
import threading
import zlib
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from webob.acceptparse import AcceptEncodingValidHeader, create_accept_encoding_header

from masthead.hookspecs import hookimpl
from masthead.settings import Setting, Settings, choice, words

Headers = list[tuple[str, str]]

_LEVELS = {
    "br": {"low": 1, "normal": 5, "high": 9},
    "gzip": {"low": 1, "normal": 6, "high": 9},
    "zstd": {"low": 1, "normal": 6, "high": 15},
}
CODINGS = tuple(_LEVELS)
"""The content codings that Masthead knows."""
_IDENTITY = "identity"
_GZIP_WINDOW = 31  # zlib's number for the largest window and a header of gzip
_SMALLEST = 1_000
"""The bytes of an answer below which compression saves no packet."""
_COMPRESSIBLE = re.compile(r"text/|application/(?:json|xml|javascript|[\w.-]+\+(?:json|xml))\b")
_LONGEST = 500
"""The characters of an ``Accept-Encoding`` that is read; the main thread has no time for more."""


def _codings(value: str) -> tuple[str, ...]:
    """Parse names of content codings.

    :raises ValueError: for an unknown one, and for a repeated one.
    """
    found = words(value.lower())
    if not set(found) <= _LEVELS.keys() or len(set(found)) < len(found):
        raise ValueError(f"some of {' '.join(_LEVELS)}, separated by blanks")
    return found


ENCODINGS = Setting(
    "masthead.compression.encodings",
    _codings,
    "br zstd gzip",
    "The content codings in which public answers are sent to clients that accept them, the first"
    " one if a client prefers none; blank if the proxy compresses.",
    shows=False,
)
LEVEL = Setting(
    "masthead.compression.level",
    choice("low", "normal", "high"),
    "normal",
    "How much processor time the compression of an answer may take; each form of an answer is made"
    " once while the answer is cached.",
    shows=False,
)


class Compressed:
    """The compressed forms of the body of an answer."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._bodies: dict[str, bytes] = {}

    def __contains__(self, coding: str) -> bool:
        """Whether the form is made."""
        return coding in self._bodies

    def __len__(self) -> int:
        """Return the number of bytes of all forms."""
        return sum(map(len, [*self._bodies.values()]))

    def __getitem__(self, coding: str) -> bytes:
        """Return a form that is made."""
        return self._bodies[coding]

    def make(self, coding: str, compress: Callable[[str], bytes]) -> None:
        """Make a form, unless another thread has made it meanwhile."""
        with self._lock:
            if coding not in self._bodies:
                self._bodies[coding] = compress(coding)


class Encodings:
    """The content codings that the settings allow."""

    def __init__(self, settings: Settings) -> None:
        self._offered = settings[ENCODINGS]
        self._level = settings[LEVEL]

    def may_compress(self, headers: Headers) -> bool:
        """Whether an answer with these headers is compressed if it is long enough."""
        kind = dict(headers).get("Content-Type", "")
        return bool(self._offered and _COMPRESSIBLE.match(kind))

    def choose(self, accepted: str, size: int) -> str:
        """Return the content coding for a body that may be compressed; blank for none.

        :param accepted: the header ``Accept-Encoding``, or blank.
        """
        if not accepted or len(accepted) > _LONGEST or size < _SMALLEST:
            return ""
        return _choose(accepted, self._offered)

    def compress(self, coding: str, body: bytes) -> bytes:
        """Return a body in a content coding."""
        level = _LEVELS[coding][self._level]
        if coding == "gzip":
            return zlib.compress(body, level, _GZIP_WINDOW)
        if coding == "zstd":
            import zstandard

            return zstandard.ZstdCompressor(level).compress(body)
        import brotli

        return bytes(brotli.compress(body, quality=level))


@lru_cache(256)
def _choose(accepted: str, offered: tuple[str, ...]) -> str:
    header = create_accept_encoding_header(accepted)
    if not isinstance(header, AcceptEncodingValidHeader):
        return ""
    named = {coding.lower(): quality for coding, quality in header.parsed}
    found = header.acceptable_offers(offered)
    # A client that names no preference for the plain form is assumed to prefer a compressed one.
    return found[0][0] if found and found[0][1] >= named.get(_IDENTITY, 0.0) else ""


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Declare the settings of the compression."""
    return [ENCODINGS, LEVEL]
