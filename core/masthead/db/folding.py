"""Case folding for the ``*_key`` columns, which make names unique regardless of case."""

from __future__ import annotations

from masthead.errors import ProblemCode, wrong_field
from masthead.unicode.characters import visible
from masthead.unicode.normalization import normalized


def fold(text: str) -> str:
    """Return ``text`` with compatibility forms unified and case folded, for comparison.

    SQL's ``lower()`` isn't used: SQLite's handles ASCII only and PostgreSQL's depends on the
    database's locale, so the two would disagree on uniqueness. NFKC makes equivalents such as
    full-width letters and ligatures equal. Both steps run twice because casefold can undo the
    normal form and NFKC can bring back capitals (Unicode chapter 3, D146, compatibility caseless
    matching).
    """
    once = normalized(text, "NFKC").casefold()
    return normalized(normalized(once, "NFKC").casefold(), "NFKC")


def fold_name(name: str) -> str:
    """Return a name folded, regardless of invisible characters and runs of blanks too."""
    return fold(visible(name))


def fold_key(text: str, max_length: int, name: str) -> str:
    """Return ``text`` folded, for an indexed column.

    Folding can turn one character into 18, and a PostgreSQL index entry holds 2,704 bytes.

    :param max_length: the maximum length of the folded text.
    :param name: the name of the field, for the error message.
    :raises Invalid: if the folded text is longer.
    """
    key = fold(text)
    if len(key) > max_length:
        raise wrong_field(
            name, ProblemCode.TOO_LONG, f"At most {max_length} characters", limit=max_length
        )
    return key
