"""The names of fields on the wire, in camel case, and of attributes, in snake case."""

from __future__ import annotations

import re


def snake_case(name: str) -> str:
    """Return the name of the attribute, ``image_url``, for ``imageUrl`` on the wire."""
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower()


def camel_case(name: str) -> str:
    """Return the name on the wire, ``imageUrl``, for the attribute ``image_url``."""
    head, *rest = name.split("_")
    return head + "".join(word.capitalize() for word in rest)
