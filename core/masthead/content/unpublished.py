"""Notifications of items that the public no longer sees: unpublished, postponed or deleted."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, event
from sqlalchemy.orm import Mapper, Session, object_session

from masthead.content.contenttype import content_types_of
from masthead.content.former_values import value_before
from masthead.content.item import ContentItem
from masthead.content.visibility import is_visible, visible_ids
from masthead.db import utcnow
from masthead.instance import instance_of

_NOTED = "masthead.unpublished"


class _Before(NamedTuple):
    """The attributes of an item before a flush that its visibility depends on."""

    published: bool
    scheduled_publish_at: datetime | None
    vanishes_at: datetime | None


def note_deleted(session: Session, items: Iterable[Any]) -> None:
    """Note those of the items about to be deleted that the public sees.

    :param items: flushed items of one content type, read in this transaction.
    """
    now = utcnow()
    for item in items:
        if is_visible(item, now):
            _note(session, item)


def notify_unpublished(session: Session) -> None:
    """Call ``unpublished`` of each content type for the items that the transaction has hidden."""
    noted: dict[type[Any], set[int]] = session.info.pop(_NOTED, {})
    if not noted:
        return
    for content_type in content_types_of(instance_of(session)):
        ids = noted.get(content_type.model, set())
        if content_type.unpublished is not None and ids:
            # A later step of the transaction may have made an item visible again.
            hidden = ids - visible_ids(session.connection(), content_type.table, ids)
            if hidden:
                content_type.unpublished(session, sorted(hidden))


@event.listens_for(ContentItem, "after_update", propagate=True)
def _note_hidden(_mapper: Mapper[Any], _connection: Connection, item: Any) -> None:
    session, now = object_session(item), utcnow()
    if session is None or is_visible(item, now):
        return
    if is_visible(_Before(*(value_before(item, name) for name in _Before._fields)), now):
        _note(session, item)


def _note(session: Session, item: Any) -> None:
    session.info.setdefault(_NOTED, {}).setdefault(type(item), set()).add(item.id)
