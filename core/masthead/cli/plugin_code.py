"""Lines of Python code in the style of formatters, whose lines have at most 88 characters."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

_WIDTH = 88
_INDENT = "    "


def quoted(text: str) -> str:
    """Return a text as a string literal."""
    return json.dumps(text, ensure_ascii=False)


def call(name: str, *arguments: str, depth: int = 2) -> list[str]:
    """Return the lines of a call, one for each argument if they don't fit on one line.

    :param depth: the levels by which the call will be indented.
    """
    line = f"{name}({', '.join(arguments)})"
    if len(_INDENT) * depth + len(line) + 1 <= _WIDTH:
        return [line]
    return [f"{name}(", *indented(f"{each}," for each in arguments), ")"]


def indented(lines: Iterable[str], depth: int = 1) -> list[str]:
    """Return lines that are indented by some levels."""
    return [_INDENT * depth + line for line in lines]


def names_option(option: str, names: Sequence[str]) -> list[str]:
    """Return the lines of an option of a declaration that names fields."""
    if len(names) == 1:
        return [f"{option}=({quoted(names[0])},),"]
    first, *rest = call(f"{option}=", *map(quoted, names), depth=1)
    return [*[first, *rest][:-1], f"{[first, *rest][-1]},"]


def imported(module: str, names: Iterable[str]) -> list[str]:
    """Return the lines that import names: constants, then classes, then functions."""
    ordered = sorted(set(names), key=lambda it: (not it.isupper(), not it[0].isupper(), it))
    line = f"from {module} import {', '.join(ordered)}"
    if len(line) <= _WIDTH:
        return [line]
    return [f"from {module} import (", *indented(f"{each}," for each in ordered), ")"]
