"""Normal forms of text, computed in linear time.

Sorting the combining marks after a character takes quadratic time in CPython. A run of marks is
therefore broken up first, as the stream-safe text format does (Unicode Standard Annex 15).
"""

from __future__ import annotations

import re
from functools import cache
from typing import Literal
from unicodedata import combining, normalize

MOST_MARKS = 30
"""The number of combining marks in a row that stay together."""
MOST_COMPOSED = 4
"""The most characters that composing turns into one."""
SEPARATOR = "\u034f"
"""COMBINING GRAPHEME JOINER, an invisible character which marks don't move across."""
# So many marks can't decompose into more than MOST_MARKS.
_FEW = 8
_DECOMPOSED = "\u0f73\u0f75\u0f81\uff9e\uff9f"
"""Characters that are no marks, but are decomposed into marks only."""
_ASCII = bytes(range(0x80))
_COMPOSED = re.compile("[\x80-\u02ff\u0400-\u0482\u048a-\u052f\u2010-\u205e\u20a0-\u20bf]*+")
"""Letters of Latin and Cyrillic scripts, punctuation and currencies, which are as NFC has them."""
_ASTRAL_MARK_BLOCKS = re.compile("[\U00010000-\U0001efff]")
"""The characters beyond the basic plane up to the last mark; emoji come after it."""


def normalized(text: str, form: Literal["NFC", "NFKC", "NFKD"] = "NFC") -> str:
    """Return ``text`` in a normal form, with a separator after every 30 combining marks in a row.

    Normalizing the result again returns it unchanged.
    """
    if text.isascii():
        return text
    # Searching the characters beyond ASCII is faster, and a run stays one if they are joined.
    content = text.encode("utf-8", "surrogatepass").translate(None, _ASCII)
    beyond = content.decode("utf-8", "surrogatepass")
    if form == "NFC" and _COMPOSED.fullmatch(beyond):
        return text
    if _pattern(beyond).search(beyond):
        text = _pattern(text).sub(_broken_up, text)
    return normalize(form, text)


def _pattern(text: str) -> re.Pattern[str]:
    """Return the pattern of long runs of marks for ``text``."""
    # A pattern with characters beyond the basic plane is twenty times slower for other texts.
    return _long_runs(0x1F000 if _ASTRAL_MARK_BLOCKS.search(text) else 0x10000)


@cache
def _long_runs(end: int) -> re.Pattern[str]:
    """Return the pattern of long runs of marks below a code point; making it takes milliseconds."""
    marks = "".join(c for c in map(chr, range(0x300, end)) if combining(c))
    return re.compile(f"[{marks}{_DECOMPOSED}]{{{_FEW},}}")


def _broken_up(run: re.Match[str]) -> str:
    before = run.string[run.start() - 1] if run.start() else ""
    count = sum(map(bool, map(combining, normalize("NFKD", before))))
    parts = []
    for mark in run[0]:
        length = len(normalize("NFKD", mark))
        if count + length > MOST_MARKS:
            parts.append(SEPARATOR)
            count = 0
        parts.append(mark)
        count += length
    return "".join(parts)
