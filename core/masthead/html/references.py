"""Character references (``&amp;``): decoded before nh3 parses the text, written again afterwards.

nh3 needs eight microseconds for each reference, half a minute for a megabyte of them, and a time
that grows with the square of the number of no-break spaces, as it writes them as references.
Therefore ``&``, ``<``, ``"`` and no-break spaces pass through it as noncharacters, code points that
no text contains (Unicode 16, section 23.7).
"""

from __future__ import annotations

import re
from html import unescape
from html.entities import html5

OPENING_BRACE = "\ufdd0"
"""A brace that the author wrote as a character reference, so that it starts no placeholder."""

_AMPERSAND, _LESS_THAN, _QUOTE, _NO_BREAK_SPACE = "\ufdd1", "\ufdd2", "\ufdd3", "\ufdd4"
_NONCHARACTERS = re.compile("[\ufdd0-\ufdd4]")
# Before "=" only a reference with a semicolon counts: `?a=1&copy=2` (HTML 13.2.5.73).
_REFERENCE = re.compile(r"&(#[xX]?[0-9a-fA-F]++;?|[a-zA-Z][a-zA-Z0-9]*+(?:;|(?!=)))")


def strip_noncharacters(text: str) -> str:
    """Return ``text`` without the noncharacters that this module uses."""
    return text if text.isascii() else _NONCHARACTERS.sub("", text)


def decode(text: str) -> str:
    """Decode the character references in text between tags."""
    return unescape(text) if "&" in text else text


def decode_value(value: str) -> str:
    """Decode the character references in an attribute value."""
    return _REFERENCE.sub(_meaning, value) if "&" in value else value


def escape_references(text: str) -> str:
    """Return decoded text as source between tags, with noncharacters instead of references."""
    text = text.replace("&", _AMPERSAND).replace("<", _LESS_THAN)
    return text if text.isascii() else text.replace("\xa0", _NO_BREAK_SPACE)


def escape_value(value: str) -> str:
    """Return a decoded value as source in double quotes, with noncharacters instead."""
    return escape_references(value).replace('"', _QUOTE)


def unescape_references(text: str) -> str:
    """Undo ``escape_references`` and ``escape_value``."""
    if text.isascii():
        return text
    text = text.replace(_AMPERSAND, "&").replace(_LESS_THAN, "<").replace(_QUOTE, '"')
    return text.replace(_NO_BREAK_SPACE, "\xa0")


def restore_references(html: str) -> str:
    """Return source in which each noncharacter is replaced by its character reference."""
    if html.isascii():
        return html
    html = html.replace(_AMPERSAND, "&amp;").replace(_LESS_THAN, "&lt;").replace(_QUOTE, "&quot;")
    return html.replace(_NO_BREAK_SPACE, "&nbsp;").replace(OPENING_BRACE, "&#123;")


def _meaning(reference: re.Match[str]) -> str:
    name = reference[1]
    return unescape(reference[0]) if name.startswith("#") else html5.get(name, reference[0])
