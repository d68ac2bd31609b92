"""The order of names, the same on every database."""

from __future__ import annotations

from unicodedata import category, combining

from masthead.unicode.characters import without_invisible
from masthead.unicode.normalization import normalized

MOST_CHARACTERS = 200
"""The number of characters of each part of a key; an index entry of PostgreSQL has a limit."""
# Letters that Unicode doesn't decompose, and their place in most alphabets.
_LETTERS = str.maketrans(
    {"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ħ": "h", "ı": "i"}
)


def sort_key(name: str) -> str:
    """Return a text whose order by code points is the order of names for people.

    Case, accents and punctuation matter only between names that are otherwise equal.
    """
    folded = normalized(without_invisible(name), "NFKD").casefold()
    letters = "".join(c for c in folded if not combining(c)).translate(_LETTERS)
    spaced = "".join(c if category(c)[0] in "LMN" else " " for c in letters)
    words = " ".join(spaced.split())
    # A character below the space separates the parts, so that a name comes before longer ones.
    return f"{words[:MOST_CHARACTERS]}\t{folded[:MOST_CHARACTERS]}"
