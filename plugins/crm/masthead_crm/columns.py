"""The columns of a CSV file of contacts, and what other tools call them.

``docs/contacts.md`` shows the same table; a test of the docs holds both together.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from masthead import EMAIL_COLUMN, NAME_COLUMN, CsvColumn, fold, is_blank

COLUMNS = (
    replace(NAME_COLUMN, required=True),
    EMAIL_COLUMN,
    CsvColumn(
        "phone",
        (
            "Phone Number",
            "Telephone",
            "Phone 1 - Value",
            "Mobile Phone",
            "Mobile Number",
            "Primary Phone",
            "Home Phone",
            "Business Phone",
            "Work Phone",
            "Phone 2 - Value",
            "Mobiltelefon",
            "Telefon",
            "Telefon (privat)",
            "Telefon privat",
            "Telefon geschäftlich",
        ),
    ),
    CsvColumn("status"),
    CsvColumn("tags", ("Labels", "Group Membership", "Categories", "Kategorien")),
    CsvColumn("notes", ("Notizen",)),
)
HEADER = ("name", "email", "phone", "status", "tags", "notes", "progressionStage", "createdAt")
"""The columns of an export."""

_SYSTEM = "* "
"""What the names of groups begin with that Google makes by itself."""
# Google puts " ::: " between several values of a cell.
_TAG = re.compile(r'\s*"((?:[^"]|"")*)"\s*(?=[,;]|\Z)|((?:(?! ::: )[^,;])+)')


def split_tags(cell: str) -> list[str]:
    """The tags that a cell lists: between commas or semicolons, in quotes or not, each once."""
    tags: dict[str, str] = {}
    for match in _TAG.finditer(cell):
        quoted, plain = match.groups()
        tag = plain.strip(" \t\r\n:") if plain else quoted.replace('""', '"').strip(" \t\r\n")
        if not is_blank(tag) and not (plain and tag.startswith(_SYSTEM)):
            # Other blanks may still be around it: no control character is lost with them.
            tags.setdefault(fold(tag).strip(), tag)
    return list(tags.values())


def join_tags(tags: Iterable[str]) -> str:
    """A cell that ``split_tags`` makes the same tags of."""
    return ", ".join(_quoted(tag) for tag in tags)


def _quoted(tag: str) -> str:
    plain = split_tags(tag) == [tag] and '"' not in tag
    return tag if plain else '"' + tag.replace('"', '""') + '"'
