"""Text of clients in the form that is stored."""

from __future__ import annotations

from typing import Any

from masthead.errors import ProblemCode, WrongValue
from masthead.unicode.characters import (
    CONTROLS,
    has_controls,
    has_surrogates,
    is_unseen,
    trimmed,
)
from masthead.unicode.normalization import normalized


def is_blank(value: Any) -> bool:
    """Whether it is text of blanks and invisible characters only; controls are neither."""
    return isinstance(value, str) and is_unseen(value) and not CONTROLS.search(value)


def clean_text(value: Any) -> str:
    """Return text in NFC, trimmed, with long runs of combining marks broken up.

    :raises ValueError: if it is no text, or contains control characters or lone surrogates.
    """
    if not isinstance(value, str):
        raise WrongValue(ProblemCode.NOT_A_STRING, "Must be a string")
    if value.isascii() and value.isprintable():
        return value.strip()
    if has_controls(value):
        raise WrongValue(ProblemCode.FORBIDDEN_CHARACTERS, "Must not contain control characters")
    if has_surrogates(value):
        raise WrongValue(ProblemCode.FORBIDDEN_CHARACTERS, "Must not contain lone surrogates")
    return normalized(trimmed(value))
