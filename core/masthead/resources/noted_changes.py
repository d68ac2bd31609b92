"""The items that a transaction changes, each with its former public state."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, FromClause, event, null
from sqlalchemy.orm import Mapper, Session, object_session

from masthead.approval.declaration import ApprovableItem
from masthead.db.of_transaction import former_value, of_transaction
from masthead.instance import Instance, instance_of
from masthead.resources.declaration import Resource
from masthead.resources.items import ResourceItem

_NOTED = "masthead.noted_changes"


class PublicState(NamedTuple):
    """The values of an item that decide whether and how the public sees it."""

    published: bool
    scheduled_publish_at: datetime | None
    vanishes_at: datetime | None
    slug: str | None
    changed_at: datetime | None


NOT_THERE = PublicState(False, None, None, None, None)
"""The state of an item that doesn't exist."""


def noted_states(session: Session) -> dict[type[Any], dict[int, PublicState]]:
    """Return the former states of the items that the session's transaction has changed so far.

    :returns: the states by model and id.
    """
    return of_transaction(session, _NOTED, dict)


def note_state(session: Session, item: Any, state: PublicState) -> None:
    """Note the state of an item before the transaction; the first one counts."""
    noted_states(session).setdefault(type(item), {}).setdefault(item.id, state)


def has_noted(session: Session, item: Any) -> bool:
    """Whether the state of an item before the transaction is noted."""
    return item.id in noted_states(session).get(type(item), ())


def public_resources(instance: Instance) -> list[Resource]:
    """Return the resources of numbered items that the public can see."""
    return [each for each in instance.resources.values() if _is_seen(each)]


def note_resource_items(session: Session, items: Iterable[Any]) -> None:
    """Note the state of flushed items before a statement that bypasses SQLAlchemy's objects."""
    for item in items:
        resource = _public_resource(session, type(item))
        if resource is not None:
            note_state(session, item, _state_of(resource, item, getattr))


def note_new_items(session: Session, model: type[Any], ids: Iterable[int]) -> None:
    """Note the items of a resource that a statement has created."""
    if _public_resource(session, model) is not None:
        noted = noted_states(session).setdefault(model, {})
        noted |= {item_id: NOT_THERE for item_id in ids if item_id not in noted}


def resource_state(resource: Resource, rows: FromClause) -> list[ColumnElement[Any]]:
    """Return the expressions of the public state of a resource's items.

    :param resource: a resource whose items the public sees.
    :param rows: its table.
    """
    slug = rows.c.get("slug", null())
    return [resource.is_shown(rows), null(), null(), slug, rows.c.updated_at]


def _public_resource(session: Session, model: type[Any]) -> Resource | None:
    """Return the resource with a model; None if the public sees none of its items."""
    # The model first, because some requests write many items.
    found = (each for each in instance_of(session).resources.values() if each.model is model)
    return next(filter(_is_seen, found), None)


def _is_seen(resource: Resource) -> bool:
    return resource.public_values is not None and not resource.named


def _state_of(resource: Resource, item: Any, read: Callable[[Any, str], Any]) -> PublicState:
    values = resource.public_values or {}
    is_shown = all(read(item, name) == value for name, value in values.items())
    slug = read(item, "slug") if "slug" in type(item).__table__.c else None
    return PublicState(is_shown, None, None, slug, read(item, "updated_at"))


def _note_new(_mapper: Mapper[Any], _connection: Connection, item: Any) -> None:
    session = object_session(item)
    if session is not None and _public_resource(session, type(item)) is not None:
        note_state(session, item, NOT_THERE)


def _note_changed(_mapper: Mapper[Any], _connection: Connection, item: Any) -> None:
    session = object_session(item)
    if session is not None and not has_noted(session, item):
        resource = _public_resource(session, type(item))
        if resource is not None:
            note_state(session, item, _state_of(resource, item, former_value))


def _note_deleted(_mapper: Mapper[Any], _connection: Connection, item: Any) -> None:
    session = object_session(item)
    if session is not None:
        note_resource_items(session, [item])


# Items of content are approvable, too, but no resource has their models.
for _mixin in (ResourceItem, ApprovableItem):
    event.listen(_mixin, "after_insert", _note_new, propagate=True)
    event.listen(_mixin, "after_update", _note_changed, propagate=True)
    event.listen(_mixin, "after_delete", _note_deleted, propagate=True)
