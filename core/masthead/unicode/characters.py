"""Characters that nobody sees: controls, line ends, invisible characters and blanks."""

from __future__ import annotations

import re
from unicodedata import category

CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")
"""The control characters that no text may contain."""
_CONTROL_BYTES = bytes(n for n in range(0x20) if n not in b"\t\n\r")
SURROGATES = re.compile("[\ud800-\udfff]")
INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U00013430-\U00013438\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""The class of characters without a glyph, for patterns: those that Unicode calls ignorable, and
format characters, such as soft hyphens, joiners, marks of direction and selectors of variants."""
_ANY_INVISIBLE = re.compile(f"[{INVISIBLE}]")
# A Braille cell without dots is as blank as a space.
_UNSEEN = re.compile(rf"[\s\u2800{INVISIBLE}]*+")
_BREAK = re.compile(r"[\t\n\r\x85\u2028\u2029]")
_LINE_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_BLANKS = re.compile(r"\s+")
_EDGE = "".join(c for c in map(chr, range(0x3001)) if c.isspace()) + "\ufeff"

_JOINERS = "\u200c\u200d"
_EMOJI_FLAG = re.compile("\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f")


def has_controls(text: str) -> bool:
    """Whether ``text`` has control characters; a pattern takes ten times as long."""
    content = text.encode("utf-8", "surrogatepass")
    return len(content.translate(None, _CONTROL_BYTES)) < len(content)


def has_surrogates(text: str) -> bool:
    """Whether ``text`` has lone surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def trimmed(text: str) -> str:
    """Return ``text`` without blanks and byte order marks at its ends."""
    return text.strip(_EDGE)


def is_unseen(text: str) -> bool:
    """Whether ``text`` consists of blanks and invisible characters only."""
    return _UNSEEN.fullmatch(text) is not None


def has_line_controls(text: str) -> bool:
    """Whether ``text`` has control characters or line ends, which no line of text contains."""
    return _LINE_CONTROLS.search(text) is not None


def one_line(text: str) -> str:
    """Return ``text`` with a space instead of the tabs and line ends at one place.

    :raises ValueError: if it contains other control characters.
    """
    if not has_line_controls(text):
        return text
    line = " ".join(filter(None, map(str.strip, _BREAK.split(text))))
    if has_line_controls(line):
        raise ValueError("Must not contain control characters")
    return line


def single_spaced(text: str) -> str:
    """Return ``text`` with a single space instead of each run of blanks."""
    return _BLANKS.sub(" ", text)


def printable(text: str) -> str:
    """Return ``text`` for a terminal, with escapes for all that would move or hide its parts."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def visible(text: str) -> str:
    """Return ``text`` without invisible characters, and with single spaces between words."""
    return single_spaced(without_invisible(text)).strip()


def without_invisible(text: str) -> str:
    """Return ``text`` without its invisible characters."""
    return text if text.isascii() else _ANY_INVISIBLE.sub("", text)


def has_needless_invisible(text: str) -> bool:
    """Whether ``text`` has invisible characters that no script and no emoji needs.

    Words of many scripts without capitals, such as Persian and Hindi, need joiners and selectors
    of variants; emoji need both, and flags need tag characters.
    """
    if text.isascii():
        return False
    text = _EMOJI_FLAG.sub("", text)
    return any(not _is_needed(text, found.start()) for found in _ANY_INVISIBLE.finditer(text))


def _is_needed(text: str, at: int) -> bool:
    """Whether a script or an emoji needs the invisible character at an index."""
    before, after = text[at - 1] if at else " ", text[at + 1 : at + 2] or " "
    if text[at] in _JOINERS:
        return (_has_no_case(before) and _has_no_case(after)) or (
            text[at] == "\u200d" and _is_symbol(before) and _is_symbol(after)
        )
    if "\ufe00" <= text[at] <= "\ufe0f":
        return _has_no_case(before) or _is_symbol(before) or before in "0123456789#*"
    if "\u180b" <= text[at] <= "\u180f" or "\U000e0100" <= text[at] <= "\U000e01ef":
        return _has_no_case(before)
    return False


def _has_no_case(character: str) -> bool:
    """Whether it is a letter or mark of a script without capitals."""
    return category(character) in ("Lo", "Mc", "Mn") and not "\u0300" <= character <= "\u036f"


def _is_symbol(character: str) -> bool:
    """Whether it may be a part of an emoji."""
    return category(character) in ("So", "Sk", "Sm", "Po") or "\ufe0e" <= character <= "\ufe0f"
