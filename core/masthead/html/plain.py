"""The text of HTML, for the search and for formats that know no HTML."""

from __future__ import annotations

import re
from html import unescape

from masthead.html.markup import names_in

_INLINE = names_in(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd mark q rp rt ruby s "
    "samp small span strike strong sub sup time tt u var wbr"
)
# An attribute's value may hold the bracket that ends a tag; no other place in a tag holds one that
# begins a tag, so that nothing is looked at over and over.
_TAG = re.compile(r"</?([a-zA-Z][a-zA-Z0-9]*+)(?:[^\"<>]|\"[^\"]*+\")*+>")


def plain_text(html: str) -> str:
    """Return the text of HTML that ``clean`` has made; between two blocks stands a space."""
    return unescape(_TAG.sub(_between, html))


def _between(tag: re.Match[str]) -> str:
    return "" if tag[1].lower() in _INLINE else " "
