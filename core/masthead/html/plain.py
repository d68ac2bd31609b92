"""Plain text from HTML, for the search and for formats without markup."""

from __future__ import annotations

import re
from html import unescape

from masthead.html.markup import names_in

_INLINE = names_in(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd mark q rp rt ruby s "
    "samp small span strike strong sub sup time tt u var wbr"
)
# An attribute's value may contain ">". "<" ends a match elsewhere in a tag, which keeps the search
# linear.
_TAG = re.compile(r"</?([a-zA-Z][a-zA-Z0-9]*+)(?:[^\"<>]|\"[^\"]*+\")*+>")


def plain_text(html: str) -> str:
    """Return the text of HTML from ``clean``, with a space between blocks."""
    return unescape(_TAG.sub(_between, html))


def _between(tag: re.Match[str]) -> str:
    return "" if tag[1].lower() in _INLINE else " "
