"""Pages that plugins add to the sitemap."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class SitemapEntry:
    """A public page that isn't an item of a content type."""

    path: str
    """The path on the website, with a leading slash; with ``on_api`` the path of the API."""
    changed_at: datetime | None = None
    """When the page's content last changed; None if unknown."""
    on_api: bool = False
    """Whether the API serves the page, not the website."""
