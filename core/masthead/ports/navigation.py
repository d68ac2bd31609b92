"""The pages of the website that exist because a plugin is enabled."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class NavigationEntry:
    """A page that every site with the plugin has, such as the list of news."""

    name: str
    """``[a-z]+``, unique; its id in navigation is ``static-<name>``."""
    label: str
    path: str
    """On the site, with a leading slash."""
    order: int = 0
    """Smaller ones come first; staff may order them otherwise."""
