"""What plugins add to the map of the website that search engines read."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class SitemapEntry:
    """A page of the website that is no item of a content type."""

    path: str
    """On the site, with a leading slash."""
    changed_at: datetime | None = None
    """When what visitors read there last changed, where it is known."""
