"""The items that a transaction changes, each with its former public state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, event, null, true
from sqlalchemy.orm import Mapper, Session, object_session

from masthead.db.of_transaction import former_value, of_transaction
from masthead.instance import Instance, instance_of
from masthead.resources.declaration import Resource
from masthead.resources.items import ResourceItem
from masthead.resources.kept import PUBLISHED

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
    """Return the resources with public endpoints whose ids are numbers."""
    return [each for each in instance.resources.values() if each.public and not each.named]


def is_public_model(session: Session, model: type[Any]) -> bool:
    """Whether it is the model of a resource that has public endpoints."""
    return any(each.model is model for each in public_resources(instance_of(session)))


def note_resource_items(session: Session, items: Iterable[Any]) -> None:
    """Note the state of flushed items before a statement that bypasses SQLAlchemy's objects."""
    for item in items:
        if is_public_model(session, type(item)):
            note_state(session, item, _state_of(item, getattr))


def note_new_items(session: Session, model: type[Any], ids: Iterable[int]) -> None:
    """Note the items of a resource that a statement has created."""
    if is_public_model(session, model):
        noted = noted_states(session).setdefault(model, {})
        noted |= {item_id: NOT_THERE for item_id in ids if item_id not in noted}


def resource_state(columns: Mapping[str, ColumnElement[Any]]) -> list[ColumnElement[Any]]:
    """Return the expressions of the public state of a resource's items.

    :param columns: the columns of its table.
    """
    return [
        columns.get(PUBLISHED, true()),
        null(),
        null(),
        columns.get("slug", null()),
        columns["updated_at"],
    ]


def _state_of(item: Any, read: Callable[[Any, str], Any]) -> PublicState:
    columns = type(item).__table__.c
    published = read(item, PUBLISHED) if PUBLISHED in columns else True
    slug = read(item, "slug") if "slug" in columns else None
    return PublicState(published, None, None, slug, read(item, "updated_at"))


@event.listens_for(ResourceItem, "after_insert", propagate=True)
def _note_new(_mapper: Mapper[Any], _connection: Connection, item: Any) -> None:
    session = object_session(item)
    if session is not None and is_public_model(session, type(item)):
        note_state(session, item, NOT_THERE)


@event.listens_for(ResourceItem, "after_update", propagate=True)
def _note_changed(_mapper: Mapper[Any], _connection: Connection, item: Any) -> None:
    session = object_session(item)
    if (
        session is not None
        and is_public_model(session, type(item))
        and not has_noted(session, item)
    ):
        note_state(session, item, _state_of(item, former_value))


@event.listens_for(ResourceItem, "after_delete", propagate=True)
def _note_deleted(_mapper: Mapper[Any], _connection: Connection, item: Any) -> None:
    session = object_session(item)
    if session is not None:
        note_resource_items(session, [item])
