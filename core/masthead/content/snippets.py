"""Parts of texts that show the words of a search, as HTML with marks."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from html import escape
from typing import TYPE_CHECKING

from masthead.search.tokens import Query, without_accents

if TYPE_CHECKING:
    from regex import Pattern

LENGTH = 200
"""The number of characters of a snippet, without its marks."""
MOST_CHARACTERS = 50_000
"""The number of characters of a text in which the words are looked for."""
_BEFORE = 60
"""The number of characters before the first word that is found."""
_CUT = "…"

Span = tuple[int, int]


def snippet(text: str, query: Query) -> str:
    """Return the first part of a text with a word of a search, or its beginning without one.

    :returns: safe HTML: text in which the words of the search are ``mark`` elements.
    """
    text = " ".join(text[:MOST_CHARACTERS].split())
    spans = list(matches(text, query))
    start = _start(text, spans[0][0] - _BEFORE) if spans else 0
    end = _end(text, start + LENGTH)
    parts, at = [_CUT if start else ""], start
    for first, last in spans:
        if first >= at and last <= end:
            parts += [escape(text[at:first]), f"<mark>{escape(text[first:last])}</mark>"]
            at = last
    return "".join([*parts, escape(text[at:end]), _CUT if end < len(text) else ""])


def matches(text: str, query: Query) -> Iterator[Span]:
    """Yield the places of the words that a search finds in a text."""
    beginnings = (*query.prefixes, *query.tokens)
    runs = query.substrings
    for word in _words().finditer(text):
        folded = without_accents(word[0])
        if folded.startswith(beginnings):
            yield word.span()
        elif len(folded) == len(word[0]):
            # A script that is written without spaces: the run is a part of a longer one.
            yield from _inside(folded, word.start(), runs or _bigrams(query))


def _inside(folded: str, offset: int, runs: tuple[str, ...]) -> Iterator[Span]:
    found = [(place, len(run)) for run in runs if (place := folded.find(run)) >= 0]
    end = 0
    for place, length in sorted(found):
        if place >= end:
            end = place + length
            yield offset + place, offset + end


def _bigrams(query: Query) -> tuple[str, ...]:
    return tuple(token for token in query.tokens if not token.isascii())


def _start(text: str, at: int) -> int:
    """Return the start of the first word at or after a place, which may be before the text."""
    if at <= 0:
        return 0
    space = text.find(" ", at, at + _BEFORE)
    return space + 1 if space >= 0 else at


def _end(text: str, at: int) -> int:
    """Return the end of the last word before a place."""
    if at >= len(text):
        return len(text)
    space = text.rfind(" ", at - _BEFORE, at)
    return space if space >= 0 else at


@cache
def _words() -> Pattern[str]:
    # A large library, which many processes never need.
    import regex

    return regex.compile(r"[\p{L}\p{N}\p{M}]++")
