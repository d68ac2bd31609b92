"""Names that look alike (Unicode Technical Standard 39, section 4)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from masthead.unicode.characters import without_invisible
from masthead.unicode.normalization import normalized


def skeletons(name: str) -> frozenset[str]:
    """Return the skeletons of a name: two names that share one look alike, in any case of letters.

    Skeletons are for comparison only, as other versions of Unicode may have different ones.
    """
    visible = without_invisible(normalized(name, "NFKD"))
    # Capitals may look alike where small letters don't, as in Вoss and Boss, and the reverse.
    return frozenset((_skeleton(visible).casefold(), _skeleton(visible.casefold())))


def looks_like_any(name: str, others: Iterable[str]) -> bool:
    """Whether a name looks like one of the others.

    Two names of ASCII characters never do: names such as ``ben1`` and ``benl`` are common, and they
    differ on every keyboard.
    """
    own, in_ascii = skeletons(name), name.isascii()
    return any(
        not own.isdisjoint(skeletons(other))
        for other in others
        if not (in_ascii and other.isascii())
    )


def _skeleton(text: str) -> str:
    prototypes = _prototypes()
    return normalized("".join(prototypes.get(c, c) for c in text), "NFKD")


@cache
def _prototypes() -> dict[str, str]:
    """Return the prototype of each character that looks like it.

    The library lists look-alikes in both directions: a character has one prototype, and a
    prototype has all of its characters.
    """
    # A large table, which few processes need.
    from confusable_homoglyphs.confusables import confusables_data

    found = {}
    for character, alike in confusables_data.items():
        prototype = alike[0]["c"]
        is_prototype = len(alike) > 1 or (
            len(confusables_data.get(prototype, ())) == 1 and prototype > character
        )
        if not is_prototype:
            found[without_invisible(character)] = without_invisible(prototype)
    return found
