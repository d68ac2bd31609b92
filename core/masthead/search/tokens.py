"""Tokens: the words and n-grams of a text in the search index, the same for both databases.

Text is folded, so that case and accents don't matter. Words are tokens. In scripts that are written
without spaces, the tokens are the bigrams of each run of characters, and the run's last character.
The first character and the first two characters of each token are tokens too, because too many
words have such a short prefix to look up all of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain, filterfalse
from operator import itemgetter
from typing import TYPE_CHECKING

from masthead.db.spelling import spell_in_ascii
from masthead.unicode.normalization import normalized

if TYPE_CHECKING:
    from regex import Pattern

FORM = 2
"""The number of the form of tokens; items are indexed again after it changes."""
MOST_CHARACTERS = 200_000
"""The number of characters of a text that are indexed."""
MOST_BYTES = 1_000_000
"""The maximum size of all tokens of a text; PostgreSQL holds a little more in one value."""
LONGEST_WORD = 200
"""The number of characters of a word that are indexed; PostgreSQL allows 2 KiB for a token."""
BEGINNINGS = (1, 2)
"""The lengths of the prefixes of tokens that are tokens too."""
_FEW = 40
"""The number of tokens that a text is searched for."""
_ONE, _TWO = (itemgetter(slice(length)) for length in BEGINNINGS)
_WHOLE = itemgetter(slice(LONGEST_WORD))

# Combining marks of Latin, Greek, Cyrillic, Hebrew and Arabic. In other scripts a mark is part of a
# letter: without it, Hindi and Thai words would become different words.
_ACCENTS = (
    "\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\ufe20-\ufe2f\u0483-\u0487"
    "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
    "\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed"
    "\u08ca-\u08e1\u08e3-\u08ff"
)
# Characters that only affect layout: soft hyphen, tatweel, joiners, directions, variants.
_LAYOUT = "\u00ad\u0640\u061c\u200b\u200d-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff"
_DROPPED = re.compile(f"[{_ACCENTS}{_LAYOUT}\U000e0100-\U000e01ef]")

_WITHOUT_SPACES = (
    r"\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}"
    r"\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}"
)
_BEYOND_ASCII = re.compile(r"([^\x00-\x7f]+)")
_SHORT = 8
"""The number of characters of a piece that is folded once for all texts."""

_ASCII = bytes(range(0x80))
_ASCII_PARTS = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789")
_OTHERS_TO_BLANKS = bytes(n if n in _ASCII_PARTS else 0x20 for n in range(0x100))
_SEPARATORS_TO_BLANKS = _OTHERS_TO_BLANKS[:0x80] + bytes(range(0x80, 0x100))
_PART_OF_WORDS = r"[\p{L}\p{N}\p{M}]"
_WORD = rf"[[\p{{L}}\p{{N}}]--[{_WITHOUT_SPACES}]][[\p{{L}}\p{{N}}\p{{M}}]--[{_WITHOUT_SPACES}]]*+"
_RUN = rf"[[\p{{L}}\p{{N}}\p{{M}}]&&[{_WITHOUT_SPACES}]]++"


@dataclass(frozen=True)
class Indexed:
    """The indexed form of a text."""

    tokens: str
    """Distinct, separated by blanks."""
    ngram_text: str
    """The runs of characters that are longer than a bigram, separated by blanks."""


@dataclass(frozen=True)
class Query:
    """The parts of a search; a text has to match all of them."""

    prefixes: tuple[str, ...]
    """Prefixes of tokens, longer than two characters."""
    tokens: tuple[str, ...]
    """Whole tokens; a prefix of one or two characters is one too."""
    substrings: tuple[str, ...]
    """Substrings of the n-gram text. Their bigrams are among ``tokens``, so that few texts have to
    be searched for them."""


def without_accents(text: str) -> str:
    """Return ``text`` without case, accents and layout characters (Unicode 16, UAX 15).

    Latin letters and digits are in ASCII.
    """
    if text.isascii():
        return text.lower()
    # The marks that could be joined to a letter of ASCII are accents, which are dropped. So these
    # letters are folded alone, in bytes, where the case of no other letter changes.
    lowered = text.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")
    pieces = _BEYOND_ASCII.split(lowered)
    others = pieces[1::2]
    is_short = max(map(len, others)) <= _SHORT
    pieces[1::2] = map(_fold_short if is_short else _fold, others)
    return "".join(pieces)


def _fold(piece: str) -> str:
    return _fold_short(piece) if len(piece) <= _SHORT else _fold_long(piece)


def _fold_long(piece: str) -> str:
    # In Turkish, I is the capital of the dotless i.
    piece = normalized(piece, "NFKC").casefold().replace("ı", "i")
    bare = _DROPPED.sub("", normalized(piece, "NFKD"))
    return normalized(spell_in_ascii(bare))


_fold_short = lru_cache(10_000)(_fold_long)


def index_text(text: str) -> Indexed:
    """Return the indexed form of the first 200,000 characters of ``text``."""
    words, runs = _distinct_parts(text[:MOST_CHARACTERS])
    pairs = (run[at : at + 2] for run in runs for at in range(len(run)))
    whole = dict.fromkeys(chain(words, pairs))
    if max(map(len, whole), default=0) > LONGEST_WORD:
        whole = dict.fromkeys(map(_WHOLE, whole))
    twos = dict.fromkeys(map(_TWO, whole))
    # First, because the tokens of a very long text are cut off at the end.
    tokens = dict.fromkeys(map(_ONE, twos)) | twos | whole
    long_runs = " ".join(run for run in runs if len(run) > 2)
    return Indexed(_fitting(" ".join(tokens)), long_runs)


def join_indexed(first: Indexed, second: Indexed) -> Indexed:
    """Return the indexed form of two texts together."""
    runs = " ".join(filter(None, (first.ngram_text, second.ngram_text)))
    return Indexed(_joined_tokens(first.tokens, second.tokens), runs)


def _joined_tokens(first: str, second: str) -> str:
    words = first.split()
    if len(words) <= _FEW:
        # For few words, searching the text is faster than splitting it.
        known = f" {second} "
        joined = " ".join([*(word for word in words if f" {word} " not in known), second])
        if 4 * len(joined) <= MOST_BYTES:
            return joined.strip()
    return _fitting(" ".join(dict.fromkeys(chain(words, second.split()))))


def parse_query(text: str) -> Query | None:
    """Return the parts of the search ``text``; None if it has no word or character to find."""
    words, runs = _parts(text)
    if not words and not runs:
        return None
    pairs = (run[at : at + 2] for run in runs for at in range(max(1, len(run) - 1)))
    parts = dict.fromkeys([*(word[:LONGEST_WORD] for word in words), *pairs])
    return Query(
        prefixes=tuple(part for part in parts if len(part) > max(BEGINNINGS)),
        tokens=tuple(part for part in parts if len(part) <= max(BEGINNINGS)),
        substrings=tuple(dict.fromkeys(run for run in runs if len(run) > 2)),
    )


def _distinct_parts(text: str) -> tuple[list[str], list[str]]:
    """Return the words and runs of :func:`_parts`, in another order and most of them once."""
    lowered = text.encode("utf-8", "surrogatepass").lower().translate(_SEPARATORS_TO_BLANKS)
    distinct = dict.fromkeys(lowered.decode("utf-8", "surrogatepass").split())
    beyond = " ".join(filterfalse(str.isascii, distinct))
    if not beyond:
        return list(distinct), []
    words, runs = _parts(beyond)
    return [*filter(str.isascii, distinct), *words], runs


def _parts(text: str) -> tuple[list[str], list[str]]:
    """Return the words of a text and its runs of characters, folded."""
    folded = without_accents(text)[:MOST_CHARACTERS]
    encoded = folded.encode("utf-8", "surrogatepass")
    others = encoded.translate(None, _ASCII).decode("utf-8", "surrogatepass")
    if others and _compiled(_PART_OF_WORDS).search(others):
        return _compiled(_WORD).findall(folded), _compiled(_RUN).findall(folded)
    # A pattern takes three times as long.
    return encoded.translate(_OTHERS_TO_BLANKS).decode().split(), []


def words_and_runs() -> Pattern[str]:
    """Return the pattern of a word, and as its group ``run`` of a run of characters."""
    return _compiled(rf"{_WORD}|(?P<run>{_RUN})")


@cache
def _compiled(pattern: str) -> Pattern[str]:
    # A large library, which many processes never need.
    import regex

    return regex.compile(pattern, regex.VERSION1)


def _fitting(tokens: str) -> str:
    """Return the first tokens, up to the maximum size; few texts have more."""
    # UTF-8 has at most 4 bytes for a character.
    if 4 * len(tokens) <= MOST_BYTES:
        return tokens
    encoded = tokens.encode("utf-8", "surrogatepass")
    if len(encoded) <= MOST_BYTES:
        return tokens
    whole = encoded[: encoded.rindex(b" ", 0, MOST_BYTES + 1)]
    return whole.decode("utf-8", "surrogatepass")
