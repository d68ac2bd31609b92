"""The hits of a search over several types, and their ranks."""

from __future__ import annotations

from typing import NamedTuple

from masthead.content.snippets import matches
from masthead.search.tokens import Query, without_accents

_WHOLE, _BEGINNING = 1.0, 0.8
_TITLE, _DESCRIPTION, _ELSEWHERE = 1.0, 0.5, 0.2
"""The weights of a word that a search finds, as a whole or at its beginning, by its place."""


class Hit(NamedTuple):
    """An item that a search finds."""

    rank: float
    date: str
    type: str
    id: int


def rank_of(query: Query, title: str, description: str) -> float:
    """Return the rank of an item from 0 to 1: the mean of the weights of the words."""
    words = (*query.prefixes, *query.tokens)
    own, further = _words_in(title, query), _words_in(description, query)
    return sum(_weight(word, own, further) for word in words) / len(words)


def _weight(word: str, title: set[str], description: set[str]) -> float:
    for words, weight in ((title, _TITLE), (description, _DESCRIPTION)):
        if word in words:
            return weight * _WHOLE
        if any(word in each for each in words):
            return weight * _BEGINNING
    return _ELSEWHERE


def _words_in(text: str, query: Query) -> set[str]:
    """Return the folded words of a text that a search finds."""
    return {without_accents(text[first:last]) for first, last in matches(text, query)}
