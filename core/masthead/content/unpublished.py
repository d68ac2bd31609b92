"""Noticing that the public sees an item no longer: it is taken down, withheld again, or deleted."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, event, inspect
from sqlalchemy.orm import Mapper, Session, object_session

from masthead.content.contenttype import ContentItem, content_types_of
from masthead.content.visibility import is_visible, seen_ids
from masthead.db import utcnow
from masthead.instance import instance_of

_NOTED = "masthead.withdrawn"


def note_deleted(session: Session, items: Iterable[Any]) -> None:
    """Note items of one content type that are about to be deleted, as far as the public sees them.

    :param items: read in this transaction, and flushed.
    """
    now = utcnow()
    for item in items:
        if is_visible(item.published, item.scheduled_publish_at, now):
            _note(session, item)


def notify_unpublished(session: Session) -> None:
    """Tell the content types of their items that the transaction hides from the public."""
    noted: dict[type[Any], set[int]] = session.info.pop(_NOTED, {})
    if not noted:
        return
    for kind in content_types_of(instance_of(session)):
        ids = noted.get(kind.model, set())
        if kind.unpublished is not None and ids:
            # What is hidden by one step of a transaction may be shown again by another.
            hidden = ids - seen_ids(session.connection(), kind.table, ids)
            if hidden:
                kind.unpublished(session, sorted(hidden))


@event.listens_for(ContentItem, "after_update", propagate=True)
def _compare(_mapper: Mapper[Any], _connection: Connection, item: Any) -> None:
    session, now = object_session(item), utcnow()
    shown = is_visible(item.published, item.scheduled_publish_at, now)
    was_shown = is_visible(_before(item, "published"), _before(item, "scheduled_publish_at"), now)
    if session is not None and was_shown and not shown:
        _note(session, item)


def _before(item: Any, name: str) -> Any:
    """The value that a column had before this flush."""
    replaced = inspect(item).attrs[name].history.deleted
    return replaced[0] if replaced else getattr(item, name)


def _note(session: Session, item: Any) -> None:
    session.info.setdefault(_NOTED, {}).setdefault(type(item), set()).add(item.id)
