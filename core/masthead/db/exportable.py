"""The ``info`` of tables and columns that an export leaves out or an import replaces.

An export contains every table in the plugins' metadata with all its columns, unless their ``info``
says otherwise.
"""

from __future__ import annotations

from typing import Any

NOT_EXPORTED_KEY = "stays"
REPLACED_KEY = "seeded"
NOT_EXPORTED = {NOT_EXPORTED_KEY: True}
"""The ``info`` of a table whose rows an export leaves out: they belong to one instance, or can be
derived again. Combine it as in ``PRIVATE | NOT_EXPORTED``."""
REPLACED_ON_IMPORT = {REPLACED_KEY: True}
"""The ``info`` of a table that a new database already fills; an import replaces its rows."""
IMPORT_DEFAULT = "arrives as"
"""The key of the value in the ``info`` that :func:`import_default` returns."""


def import_default(value: Any) -> dict[str, Any]:
    """Return the ``info`` of a column that an export leaves out.

    :param value: the value that an import gives each row.
    """
    return {IMPORT_DEFAULT: value}
