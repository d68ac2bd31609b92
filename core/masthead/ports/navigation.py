"""Navigation entries for the pages that a plugin adds to the website."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class NavigationEntry:
    """A page that every website with the plugin has, such as the list of news."""

    name: str
    """A unique name, ``[a-z]+``; its id in navigation is ``static-<name>``."""
    label: str
    path: str
    """The path on the website, with a leading slash."""
    order: int = 0
    """The initial position in ascending order, which staff may change."""
