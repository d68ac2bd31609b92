"""Files that plugins keep outside of the database and that are exported with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy.orm import Session

from masthead.plugins import check_unique, collect

if TYPE_CHECKING:
    from masthead.instance import Instance


@dataclass(frozen=True)
class KeptFiles:
    """The files of a plugin, each with a key that is stored in its tables.

    A key consists of ASCII letters, digits, dots, hyphens and underscores, with slashes between
    parts that don't start with a dot.
    """

    name: str
    """A lower-case name, unique among all plugins: ``media``."""
    keys: Callable[[Session], Iterable[str]]
    """Takes a session and returns the keys of all files that can't be generated again."""
    read: Callable[[str], bytes]
    """Returns the bytes of a key; raises ``FileNotFoundError`` if they are missing."""
    write: Callable[[str, bytes], object]
    """Stores the bytes of a key durably; replaces existing bytes."""


def kept_files(instance: Instance) -> list[KeptFiles]:
    """Return the files that the enabled plugins declare.

    :raises StartError: if two declare the same name.
    """
    owned = collect(instance.manager, "masthead_files", (KeptFiles,), instance=instance)
    return check_unique(owned, lambda files: files.name, lambda files: f"the files {files.name}")
