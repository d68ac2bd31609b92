"""What tables and columns say of an instance that moves: what comes along, and what arrives.

Every table that a plugin's metadata declares travels with all its columns, unless it says otherwise
by its ``info``.
"""

from __future__ import annotations

from typing import Any

NOT_EXPORTED_KEY = "stays"
REPLACED_KEY = "seeded"
NOT_EXPORTED = {NOT_EXPORTED_KEY: True}
"""The ``info`` of a table whose rows an export leaves out: they belong to one instance, or can be
made anew. Joined to others as in ``PRIVATE | NOT_EXPORTED``."""
REPLACED_ON_IMPORT = {REPLACED_KEY: True}
"""The ``info`` of a table that has rows from the start; those that an import brings replace them.
"""
IMPORT_DEFAULT = "arrives as"
"""The key under which the ``info`` of a column has what :func:`import_default` was given."""


def import_default(value: Any) -> dict[str, Any]:
    """The ``info`` of a column that an export leaves out.

    :param value: what each row has there after an import.
    """
    return {IMPORT_DEFAULT: value}
