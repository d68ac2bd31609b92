"""Tokens: what the search index holds of a text, made here so that both databases agree.

Text is folded, so that neither case nor accents count. Words are tokens. In scripts that are
written without spaces a text is a run of characters, whose tokens are each two that follow each
other, and the last one alone. The first one and the first two characters of each token are tokens
too, as too many words begin with so few to look up all of them.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from regex import Pattern

MOST_CHARACTERS = 200_000
"""How much of a text is indexed."""
MOST_BYTES = 1_000_000
"""How much all tokens of a text may take; PostgreSQL holds a little more in one value."""
LONGEST_WORD = 200
"""Characters of a word that count; PostgreSQL takes no token of more than 2 KiB."""
BEGINNINGS = (1, 2)
"""Characters of the beginnings of tokens that are tokens too."""

# Combining marks of Latin, Greek, Cyrillic, Hebrew and Arabic. Elsewhere a mark is a letter's other
# half: without them Hindi and Thai words would become others.
_ACCENTS = (
    "\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\ufe20-\ufe2f\u0483-\u0487"
    "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
    "\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed"
    "\u08ca-\u08e1\u08e3-\u08ff"
)
# What is in a text to be laid out only: soft hyphen, tatweel, joiners, directions, variants.
_LAYOUT = "\u00ad\u0640\u061c\u200b\u200d-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff"
_DROPPED = re.compile(f"[{_ACCENTS}{_LAYOUT}\U000e0100-\U000e01ef]")

_WITHOUT_SPACES = (
    r"\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}"
    r"\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}"
)
_ASCII_WORD = re.compile("[a-z0-9]+")
_WORD = rf"[[\p{{L}}\p{{N}}]--[{_WITHOUT_SPACES}]][[\p{{L}}\p{{N}}\p{{M}}]--[{_WITHOUT_SPACES}]]*+"
_RUN = rf"[[\p{{L}}\p{{N}}\p{{M}}]&&[{_WITHOUT_SPACES}]]++"


@dataclass(frozen=True)
class Indexed:
    """What the index holds of a text."""

    tokens: list[str]
    """Each once, in the order in which they occur."""
    runs: str
    """The runs of characters that are longer than a token, separated by blanks."""


@dataclass(frozen=True)
class Query:
    """What a text has to hold: all of it."""

    prefixes: tuple[str, ...]
    """What tokens begin with, of more than two characters."""
    tokens: tuple[str, ...]
    """Whole tokens; among them beginnings of one or two characters."""
    runs: tuple[str, ...]
    """Runs of characters; their tokens are among ``tokens``, so most texts needn't be looked at."""


def without_accents(text: str) -> str:
    """Return ``text`` without case, accents and marks of layout (Unicode 16, UAX 15)."""
    if text.isascii():
        return text.lower()
    # The dotless i of Turkish is what a capital I is the capital of.
    text = unicodedata.normalize("NFKC", text).casefold().replace("ı", "i")
    return unicodedata.normalize("NFC", _DROPPED.sub("", unicodedata.normalize("NFKD", text)))


def index_text(text: str) -> Indexed:
    """Return what the index holds of the first 200,000 characters of ``text``."""
    words, runs = _parts(text[:MOST_CHARACTERS])
    pairs = (run[at : at + 2] for run in runs for at in range(len(run)))
    parts = (token[:end] for token in chain(words, pairs) for end in (*BEGINNINGS, None))
    long_runs = " ".join(run for run in runs if len(run) > 2)
    return Indexed(_fitting(list(dict.fromkeys(parts))), long_runs)


def parse_query(text: str) -> Query | None:
    """Return what ``text`` asks for; None where nothing in it can be searched for."""
    words, runs = _parts(text)
    if not words and not runs:
        return None
    pairs = (run[at : at + 2] for run in runs for at in range(max(1, len(run) - 1)))
    parts = dict.fromkeys([*words, *pairs])
    return Query(
        prefixes=tuple(part for part in parts if len(part) > max(BEGINNINGS)),
        tokens=tuple(part for part in parts if len(part) <= max(BEGINNINGS)),
        runs=tuple(dict.fromkeys(run for run in runs if len(run) > 2)),
    )


def _parts(text: str) -> tuple[list[str], list[str]]:
    """Return the words of a text and its runs of characters, folded."""
    folded = without_accents(text)[:MOST_CHARACTERS]
    if folded.isascii():
        words, runs = _ASCII_WORD.findall(folded), []
    else:
        words, runs = _compiled(_WORD).findall(folded), _compiled(_RUN).findall(folded)
    return [word[:LONGEST_WORD] for word in words], runs


@cache
def _compiled(pattern: str) -> Pattern[str]:
    # Large, and loaded for the first text that needs it; many a process never sees one.
    import regex

    return regex.compile(pattern, regex.VERSION1)


def _fitting(tokens: list[str]) -> list[str]:
    """Return the first tokens, as many as fit; only texts of rare characters have more."""
    # UTF-8 has at most 4 bytes for a character.
    if 4 * sum(map(len, tokens)) <= MOST_BYTES:
        return tokens
    room = MOST_BYTES
    for count, token in enumerate(tokens):
        room -= len(token.encode())
        if room < 0:
            return tokens[:count]
    return tokens
