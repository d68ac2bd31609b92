"""Character references (``&amp;``): decoded before nh3 parses the text, written again afterwards.

nh3 needs eight microseconds for each reference, half a minute for a megabyte of them. After each
character from U+0080 to U+00BF, which begin with the same byte as a no-break space, it searches all
of the remaining text. Therefore ``&``, ``<``, ``"`` and these characters pass through it as
noncharacters, code points that no text contains (Unicode 16, section 23.7).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from html.entities import html5

OPENING_BRACE = "\ufdd0"
"""A brace that the author wrote as a character reference, so that it starts no placeholder."""

_AMPERSAND, _LESS_THAN, _QUOTE = "\ufdd1", "\ufdd2", "\ufdd3"
# The marks of comments begin with the same noncharacter, which is followed by a digit there.
_GREATER_THAN = "\ufddc\ufdd2"
_SLOW = re.compile("[\x80-\xbf]")
_SLOW_START = b"\xc2"
"""The first byte of these characters, and of no other one, in UTF-8."""
_CODES = {chr(n): f"{chr(0xFDD4 + n // 8 - 16)}{chr(0xFDD4 + n % 8)}" for n in range(0x80, 0xC0)}
"""Two noncharacters for each of the characters that slow nh3 down."""
_CODED = {code: character for character, code in _CODES.items()}
_CODED_IN_SOURCE = _CODED | {_CODES["\xa0"]: "&nbsp;"}
_CODE = re.compile("[\ufdd4-\ufddb]{2}")
_CODE_PARTS = "".join(map(chr, range(0xFDD4, 0xFDDC)))
_DROPPED = dict.fromkeys(range(0xFDD0, 0xFDDD))
_NONCHARACTER_START = b"\xef\xb7"
"""The first bytes of the noncharacters, and of some Arabic characters, in UTF-8."""
# Before "=" only a reference with a semicolon counts: `?a=1&copy=2` (HTML 13.2.5.73).
_REFERENCE = re.compile(r"&(#[xX]?[0-9a-fA-F]++;?|[a-zA-Z][a-zA-Z0-9]*+(?:;|(?!=)))")


def strip_noncharacters(text: str) -> str:
    """Return ``text`` without the noncharacters that this module uses."""
    return text.translate(_DROPPED) if _may_have_noncharacters(text) else text


def is_plain(text: str) -> bool:
    """Whether ``decode`` and ``escape_references`` leave a text as it is."""
    return "&" not in text and "<" not in text and (text.isascii() or not _has_slow(text))


def _has_slow(text: str) -> bool:
    """Whether a text has one of the characters that slow nh3 down."""
    return _SLOW_START in text.encode("utf-8", "surrogatepass")


def decode(text: str) -> str:
    """Decode the character references in text between tags."""
    return unescape(text) if "&" in text else text


def decode_value(value: str) -> str:
    """Decode the character references in an attribute value."""
    return _REFERENCE.sub(_meaning, value) if "&" in value else value


def recode_text(source: str) -> str:
    """Return the source of text between tags with noncharacters instead of references.

    nh3 writes it as it is, whereas it would write a reference for ``>``.
    """
    if is_plain(source) and ">" not in source:
        return source
    return escape_references(decode(source)).replace(">", _GREATER_THAN)


def text_recoder(html: str) -> Callable[[str], str]:
    """Return a function that is ``recode_text`` for the texts of a document."""
    if "&" in html or not (html.isascii() or not _has_slow(html)):
        return recode_text
    return lambda source: recode_text(source) if ">" in source or "<" in source else source


def escape_references(text: str) -> str:
    """Return decoded text as source between tags, with noncharacters instead of references."""
    if is_plain(text):
        return text
    text = text.replace("&", _AMPERSAND).replace("<", _LESS_THAN)
    return _SLOW.sub(lambda found: _CODES[found[0]], text)


def escape_value(value: str) -> str:
    """Return a decoded value as source in double quotes, with noncharacters instead."""
    return escape_references(value).replace('"', _QUOTE)


def unescape_references(text: str) -> str:
    """Undo ``escape_references`` and ``escape_value``."""
    if not _may_have_noncharacters(text):
        return text
    text = text.replace(_AMPERSAND, "&").replace(_LESS_THAN, "<").replace(_QUOTE, '"')
    return _CODE.sub(lambda code: _CODED[code[0]], text)


def restore_references(html: str) -> str:
    """Return source in which each noncharacter is replaced by its character reference."""
    if not _may_have_noncharacters(html):
        return html
    html = html.replace(_GREATER_THAN, "&gt;")
    html = html.replace(_AMPERSAND, "&amp;").replace(_LESS_THAN, "&lt;").replace(_QUOTE, "&quot;")
    html = html.replace(OPENING_BRACE, "&#123;")
    # The pattern takes ten times as long as looking for each of its parts.
    if any(part in html for part in _CODE_PARTS):
        return _CODE.sub(lambda code: _CODED_IN_SOURCE[code[0]], html)
    return html


def _may_have_noncharacters(text: str) -> bool:
    """Whether a text may have one; a pattern takes ten times as long."""
    return not text.isascii() and _NONCHARACTER_START in text.encode("utf-8", "surrogatepass")


def _meaning(reference: re.Match[str]) -> str:
    name = reference[1]
    return unescape(reference[0]) if name.startswith("#") else html5.get(name, reference[0])
