"""How text is folded for the ``*_key`` columns that make names unique without regard to case."""

from __future__ import annotations

from unicodedata import normalize

from masthead.errors import Invalid


def fold(text: str) -> str:
    """Return ``text`` as it is compared: compatibility forms unified, case folded.

    Done here and never by SQL's ``lower()``: SQLite's knows ASCII only and PostgreSQL's depends on
    the database's locale, so the two would disagree on what is unique. NFKC makes look-alikes such
    as full-width letters and ligatures equal; casefold can undo the normal form and NFKC can bring
    back capitals, hence twice (Unicode chapter 3, D146, compatibility caseless matching).
    """
    once = normalize("NFKC", text).casefold()
    return normalize("NFKC", normalize("NFKC", once).casefold())


def fold_key(text: str, most: int, name: str) -> str:
    """Return ``text`` folded, to be stored under an index.

    Folding makes up to 18 characters of one, and an index of PostgreSQL takes 2,704 bytes.

    :param most: characters that the folded text may have.
    :param name: what the client calls the text.
    :raises Invalid: where it has more.
    """
    key = fold(text)
    if len(key) > most:
        raise Invalid(f"{name}: At most {most} characters")
    return key
