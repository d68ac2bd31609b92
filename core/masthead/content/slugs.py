"""The slugs of content that hasn't been public yet."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy.orm import Session

from masthead.db.slugs import flush_with_slugs, is_derived


def follow_title(session: Session, item: Any, former_title: str, now: datetime) -> None:
    """Derive an item's slug from its new title, unless the item has been public.

    A slug that isn't derived from the former title was chosen, and stays.
    """
    published = item.first_published_at
    has_been_public = published is not None and published <= now
    if item.title == former_title or item.slug is None or has_been_public:
        return
    if is_derived(item.slug, former_title):
        flush_with_slugs(session, type(item), [(item, item.title)])
