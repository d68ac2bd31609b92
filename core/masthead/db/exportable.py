"""What tables and columns say of an instance that moves: what comes along, and what arrives.

Every table that a plugin's metadata declares travels with all its columns, unless it says otherwise
by its ``info``.
"""

from __future__ import annotations

from typing import Any

STAYS_KEY = "stays"
SEEDED_KEY = "seeded"
STAYS = {STAYS_KEY: True}
"""The ``info`` of a table whose rows an export leaves out: they belong to one instance, or can be
made anew. Joined to others as in ``PRIVATE | STAYS``."""
SEEDED = {SEEDED_KEY: True}
"""The ``info`` of a table that has rows from the start; those that an import brings replace them.
"""
ARRIVES_AS = "arrives as"
"""The key under which the ``info`` of a column has what :func:`arrives_as` was given."""


def arrives_as(value: Any) -> dict[str, Any]:
    """The ``info`` of a column that an export leaves out.

    :param value: what each row has there after an import.
    """
    return {ARRIVES_AS: value}
