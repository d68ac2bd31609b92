"""The ids of navigation entries.

``nav-7`` is a folder, ``custom-8`` another entry that staff created, and ``static-home`` an entry
that a plugin declares. Folders and other entries share one sequence of numbers, so ``7``, ``nav-7``
and ``custom-7`` name the same entry.
"""

from __future__ import annotations

import re

_LARGEST = 2**63 - 1
_NUMBERED = re.compile(r"(?:nav-|custom-)?([1-9][0-9]{0,18})")


def numbered_id(number: int, *, is_folder: bool) -> str:
    """Return the id of an entry that staff created."""
    return f"nav-{number}" if is_folder else f"custom-{number}"


def static_id(name: str) -> str:
    """Return the id of an entry that a plugin declares."""
    return f"static-{name}"


def number_of(text: str) -> int | None:
    """Return the number in the id of an entry that staff created, or None for any other text."""
    found = _NUMBERED.fullmatch(text)
    number = int(found[1]) if found else 0
    return number if 0 < number <= _LARGEST else None
