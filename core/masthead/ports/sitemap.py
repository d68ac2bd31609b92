"""Pages that plugins add to the sitemap."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class SitemapEntry:
    """A page of the website that isn't an item of a content type."""

    path: str
    """The path on the website, with a leading slash."""
    changed_at: datetime | None = None
    """When the page's content last changed; None if unknown."""
