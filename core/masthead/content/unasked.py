"""The net behind the gate: changes of public items by code that asked no plugin.

All ways of core ask by themselves. Code of a plugin may change an item directly; then the plugins
are asked just before the commit.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import event, inspect, select
from sqlalchemy.orm import Mapper, Session, object_session

from masthead.approval.gate import (
    Times,
    asked_items,
    has_gates,
    proposed,
    require,
    shows_longer,
)
from masthead.approval.publications import PublicationWay
from masthead.content.contenttype import ContentType, content_types_of
from masthead.content.item import ContentItem
from masthead.db.of_transaction import change_of, former_value, of_transaction
from masthead.instance import instance_of

_WRITTEN = "masthead.written"
_PUBLISHED, _TIMES = "published", ("scheduled_publish_at", "scheduled_unpublish_at")
_Written = dict[type[Any], dict[int, set[str]]]
"""The names of the changed attributes of published items, by model and id."""


def ask_about_unasked(session: Session) -> None:
    """Ask the plugins about changes of public items that nobody has asked about.

    :raises Refused: if a plugin objects to one.
    """
    asked, written = asked_items(session), _written(session)
    for content_type in content_types_of(instance_of(session)):
        model = content_type.model
        ids = [
            item_id
            for item_id, names in written.get(model, {}).items()
            if (model, item_id) not in asked and names & _shown(content_type)
        ]
        if ids:
            public = select(model).where(model.id.in_(ids), model.published)
            items = session.scalars(public.order_by(model.id)).all()
            candidates = proposed(session, content_type, items, edited=False, applied=True)
            require(session, candidates, PublicationWay.OTHER, None)


def _shown(content_type: ContentType) -> set[str]:
    """Return the attributes that decide about the values that the public sees."""
    return {f.attribute for f in content_type.fields if f.public} | {_PUBLISHED, *_TIMES}


def _written(session: Session) -> _Written:
    return of_transaction(session, _WRITTEN, dict)


@event.listens_for(ContentItem, "after_insert", propagate=True)
@event.listens_for(ContentItem, "after_update", propagate=True)
def _note(_mapper: Mapper[Any], _connection: Any, item: Any) -> None:
    session = object_session(item)
    if session is None or not item.published or not has_gates(session):
        return
    names = {n for n in inspect(item).committed_state if change_of(item, n).has_changes()}
    if not shows_longer(_before(item), (item.scheduled_publish_at, item.scheduled_unpublish_at)):
        names -= {*_TIMES}
    _written(session).setdefault(type(item), {}).setdefault(item.id, set()).update(names)


def _before(item: Any) -> Times:
    """Return the times of an item before this flush."""
    since, until = (former_value(item, name) for name in _TIMES)
    return since, until
