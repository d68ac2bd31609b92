"""Placeholders, ``{{name}}``: replaced in one pass, without scanning values again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

# Names only: no attribute access, filters or expressions. Other text in braces stays unchanged.
_PLACEHOLDER = re.compile(r"\{\{\s*([^\W\d][\w.-]*)\s*\}\}")


def split(text: str) -> list[str]:
    """Split a text at its placeholders: text, name, text, name, …, text."""
    return _PLACEHOLDER.split(text)


def names(*texts: str | None) -> list[str]:
    """Return the distinct placeholder names in texts, in order of appearance."""
    found: Iterable[str] = (name for text in texts if text for name in _PLACEHOLDER.findall(text))
    return list(dict.fromkeys(found))


def fill(text: str, values: Mapping[str, Any]) -> str:
    """Replace the placeholders that have a value, without escaping; keep the others."""
    parts = split(text)
    parts[1::2] = [str(values.get(name, f"{{{{{name}}}}}")) for name in parts[1::2]]
    return "".join(parts)
