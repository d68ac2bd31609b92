"""Placeholders, ``{{name}}``: replaced in one pass, without scanning values again."""

from __future__ import annotations

import re
from collections.abc import Iterable

# Names only: no attribute access, filters or expressions. Other text in braces stays unchanged.
_PLACEHOLDER = re.compile(r"\{\{\s*([^\W\d][\w.-]*)\s*\}\}")


def split(text: str) -> list[str]:
    """Split a text at its placeholders: text, name, text, name, …, text."""
    return _PLACEHOLDER.split(text)


def names(*texts: str | None) -> list[str]:
    """Return the distinct placeholder names in texts, in order of appearance."""
    found: Iterable[str] = (name for text in texts if text for name in _PLACEHOLDER.findall(text))
    return list(dict.fromkeys(found))


def fill(text: str, name: str, value: str) -> str:
    """Replace one placeholder by a value, without escaping; keep the others."""
    parts = split(text)
    for index in range(1, len(parts), 2):
        parts[index] = value if parts[index] == name else f"{{{{{parts[index]}}}}}"
    return "".join(parts)
