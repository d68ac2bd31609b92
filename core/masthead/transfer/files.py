"""Files that plugins keep outside of the database, and that move with it."""

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
    """Files that a plugin keeps, each by a key that its tables name.

    A key is made of letters, digits, dots, hyphens and underscores of ASCII, and of slashes between
    parts that don't start with a dot.
    """

    name: str
    """In small letters, unique among all plugins: ``media``."""
    keys: Callable[[Session], Iterable[str]]
    """The keys of all files that can't be made anew; gets a session to read with."""
    read: Callable[[str], bytes]
    """The bytes of a key; raises ``FileNotFoundError`` where they are missing."""
    write: Callable[[str, bytes], object]
    """Stores the bytes of a key, so that they survive a power cut; replaces what it held."""


def kept_files(instance: Instance) -> list[KeptFiles]:
    """What the enabled plugins keep in files.

    :raises StartError: where two declare one name.
    """
    owned = collect(instance.manager, "masthead_files", instance=instance)
    return check_unique(owned, lambda files: files.name, lambda files: f"the files {files.name}")
