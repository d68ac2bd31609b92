"""Placeholders, ``{{name}}``: replaced in one pass, values never looked at again."""

from __future__ import annotations

import re
from collections.abc import Iterable

# Names only: no dots into objects, no filters, no expressions. What else stands in braces is text.
_PLACEHOLDER = re.compile(r"\{\{\s*([^\W\d][\w.-]*)\s*\}\}")


def split(text: str) -> list[str]:
    """Cut a text at its placeholders: text, name, text, name, …, text."""
    return _PLACEHOLDER.split(text)


def names(*texts: str | None) -> list[str]:
    """The names of the placeholders in texts, each once, in their order."""
    found: Iterable[str] = (name for text in texts if text for name in _PLACEHOLDER.findall(text))
    return list(dict.fromkeys(found))


def fill(text: str, name: str, value: str) -> str:
    """Put a value, as it is, where one placeholder stands; the others stay."""
    parts = split(text)
    for index in range(1, len(parts), 2):
        parts[index] = value if parts[index] == name else f"{{{{{parts[index]}}}}}"
    return "".join(parts)
