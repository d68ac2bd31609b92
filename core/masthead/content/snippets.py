"""Parts of texts that show the words of a search, as HTML with marks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from masthead.search.tokens import Query, without_accents, words_and_runs

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
    """Yield the places of the words, and of the parts of runs, that a search finds in a text."""
    beginnings = (*query.prefixes, *query.tokens)
    # The bigrams of a longer run are tokens, too.
    short = (each for each in query.tokens if not any(each in run for run in query.substrings))
    longest_first = sorted((*query.substrings, *short), key=len, reverse=True)
    parts = re.compile("|".join(map(re.escape, longest_first)) or "(?!)")
    for piece in words_and_runs().finditer(text):
        folded, start = without_accents(piece[0]), piece.start()
        if piece["run"] is None:
            if folded.startswith(beginnings):
                yield piece.span()
        elif len(folded) == len(piece[0]):
            yield from (
                (start + part.start(), start + part.end()) for part in parts.finditer(folded)
            )


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
