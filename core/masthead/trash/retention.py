"""Purging items that have been in the trash for longer than the setting allows."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session, defer

from masthead.db import utcnow
from masthead.resources.trashed import TrashedItem
from masthead.trash.services import purge_items

_BATCH = 100
"""Items purged in one transaction; each can have hundreds of revisions."""


def purging(days: int) -> Callable[[Session], bool]:
    """Return the work of a job that purges old items.

    :param days: the age in days at which items are purged.
    """

    def run(session: Session) -> bool:
        old = select(TrashedItem).where(TrashedItem.deleted_at <= utcnow() - timedelta(days=days))
        # An item that is being restored is left alone.
        oldest = old.order_by(TrashedItem.deleted_at).limit(_BATCH)
        locked = oldest.options(defer(TrashedItem.data)).with_for_update(skip_locked=True)
        found = session.scalars(locked).all()
        purge_items(session, found, None)
        return len(found) == _BATCH

    return run
