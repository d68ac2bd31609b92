"""The columns of a table of contacts, with the names that other tools give them.

``docs/header-names.md`` shows them; a test compares both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from masthead import EMAIL_COLUMN, NAME_COLUMN, CsvColumn, fold_name, header_names, is_blank

COLUMNS = (
    NAME_COLUMN,
    EMAIL_COLUMN,
    CsvColumn("phone", header_names("phone", "mobile", "home", "work"), first_only=True),
    CsvColumn("status"),
    CsvColumn("tags", header_names("tags")),
    CsvColumn("notes", header_names("notes")),
)
FIELDS = tuple(column.name for column in COLUMNS)
"""The fields that a column can become."""
HEADER = ("name", "email", "phone", "status", "tags", "notes", "progressionStage", "createdAt")
"""The columns of an export."""

_SYSTEM_GROUP = "* "
"""The prefix of the groups that Google creates."""
# Google joins several values of a cell by " ::: ".
_TAG = re.compile(r'\s*"((?:[^"]|"")*)"\s*(?=[,;]|\Z)|((?:(?! ::: )[^,;])+)')


def split_tags(cell: str) -> list[str]:
    """Return the tags of a cell, each once: separated by commas or semicolons, quoted or not."""
    tags: dict[str, str] = {}
    for match in _TAG.finditer(cell):
        quoted, plain = match.groups()
        tag = plain.strip(" \t\r\n:") if plain else quoted.replace('""', '"').strip(" \t\r\n")
        if not is_blank(tag) and not (plain and tag.startswith(_SYSTEM_GROUP)):
            tags.setdefault(fold_name(tag), tag)
    return list(tags.values())


def join_tags(tags: Iterable[str]) -> str:
    """Return the cell that ``split_tags`` splits into the same tags."""
    return ", ".join(_quote(tag) for tag in tags)


def _quote(tag: str) -> str:
    plain = split_tags(tag) == [tag] and '"' not in tag
    return tag if plain else '"' + tag.replace('"', '""') + '"'
