"""Character references (``&amp;``): decoded before nh3 sees the text, written again behind it.

nh3 takes eight microseconds for each, which makes half a minute for a megabyte of them. So ``&``,
``<`` and ``"`` travel through it as code points that no text holds (Unicode 16, section 23.7).
"""

from __future__ import annotations

import re
from html import unescape
from html.entities import html5

OPENING_BRACE = "\ufdd0"
"""A brace that the author wrote as a character reference, so that it opens no placeholder."""

_AMPERSAND, _LESS_THAN, _QUOTE = "\ufdd1", "\ufdd2", "\ufdd3"
_NONCHARACTERS = re.compile("[\ufdd0-\ufdd3]")
# In front of an equals sign only a reference that is ended counts: `?a=1&copy=2` (13.2.5.73).
_REFERENCE = re.compile(r"&(#[xX]?[0-9a-fA-F]++;?|[a-zA-Z][a-zA-Z0-9]*+(?:;|(?!=)))")


def strip_noncharacters(text: str) -> str:
    """Return ``text`` without the code points that this module uses."""
    return text if text.isascii() else _NONCHARACTERS.sub("", text)


def decode(text: str) -> str:
    """Return the text that the source ``text`` between two tags stands for."""
    return unescape(text) if "&" in text else text


def decode_value(value: str) -> str:
    """Return what the source ``value`` of an attribute stands for."""
    return _REFERENCE.sub(_meaning, value) if "&" in value else value


def escape_references(text: str) -> str:
    """Return ``text`` as source between two tags, without a character reference."""
    return text.replace("&", _AMPERSAND).replace("<", _LESS_THAN)


def escape_value(value: str) -> str:
    """Return ``value`` as source in double quotes, without a character reference."""
    return escape_references(value).replace('"', _QUOTE)


def unescape_references(text: str) -> str:
    """Undo ``escape_references`` and ``escape_value``."""
    if text.isascii():
        return text
    return text.replace(_AMPERSAND, "&").replace(_LESS_THAN, "<").replace(_QUOTE, '"')


def restore_references(html: str) -> str:
    """Return source with character references for what ``escape_references`` hid between tags or in values."""
    if html.isascii():
        return html
    html = html.replace(_AMPERSAND, "&amp;").replace(_LESS_THAN, "&lt;").replace(_QUOTE, "&quot;")
    return html.replace(OPENING_BRACE, "&#123;")


def _meaning(reference: re.Match[str]) -> str:
    name = reference[1]
    return unescape(reference[0]) if name.startswith("#") else html5.get(name, reference[0])
