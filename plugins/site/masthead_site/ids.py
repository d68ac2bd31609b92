"""The ids of navigation entries: ``nav-7`` a folder, ``custom-8`` any other, ``static-home``.

The numbers are of one sequence, so that ``7``, ``nav-7`` and ``custom-7`` are one entry.
"""

from __future__ import annotations

import re

_LARGEST = 2**63 - 1
_NUMBERED = re.compile(r"(?:nav-|custom-)?([1-9][0-9]{0,18})")


def numbered_id(number: int, *, is_folder: bool) -> str:
    """The id of an entry that staff made."""
    return f"nav-{number}" if is_folder else f"custom-{number}"


def static_id(name: str) -> str:
    """The id of an entry that a plugin declares."""
    return f"static-{name}"


def number_of(text: str) -> int | None:
    """The number in an id of an entry that staff made; None where it is none."""
    found = _NUMBERED.fullmatch(text)
    number = int(found[1]) if found else 0
    return number if 0 < number <= _LARGEST else None
