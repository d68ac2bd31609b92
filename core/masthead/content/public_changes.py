"""The changes of a transaction: of items as staff see them, and as the public does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    Table,
    and_,
    event,
    literal,
    or_,
    select,
    true,
    union_all,
)
from sqlalchemy.orm import Mapper, Session, object_session

from masthead.content.contenttype import ContentType, content_types_of
from masthead.content.former_values import VANISHES, value_before
from masthead.content.item import ContentItem
from masthead.content.visibility import is_visible, seen_until, vanishing_columns
from masthead.instance import Instance, instance_of
from masthead.resources.declaration import Resource
from masthead.resources.noted_changes import (
    NOT_THERE,
    PublicState,
    has_noted,
    note_resource_items,
    note_state,
    noted_states,
    public_resources,
    resource_state,
)


class ItemChangeName(StrEnum):
    """The changes of items that staff see in the change log."""

    CREATED = "created"
    CHANGED = "changed"
    DELETED = "deleted"


class PublicChangeName(StrEnum):
    """The changes of items that the public sees."""

    PUBLISHED = "published"
    """The item became visible."""
    CHANGED = "changed"
    """It has other values; to plugins also another slug."""
    MOVED = "moved"
    """It has another slug, and perhaps other values; in the change log only."""
    WITHDRAWN = "withdrawn"
    """It is no longer visible."""


CREATED, DELETED = ItemChangeName.CREATED, ItemChangeName.DELETED
PUBLISHED, CHANGED = PublicChangeName.PUBLISHED, PublicChangeName.CHANGED
WITHDRAWN = PublicChangeName.WITHDRAWN
_COLUMNS = PublicState._fields
_Kind = ContentType | Resource
_AT_ONCE = 500
"""The number of items per query, because databases limit the parameters of a statement."""


@dataclass(frozen=True)
class PublicChange:
    """An item of a content type or a resource whose public state changes."""

    change: PublicChangeName
    """Never ``moved``, which is ``changed`` with a ``former_slug``; a deleted item is withdrawn."""
    content_type: str
    """The name of its content type or resource."""
    item_id: int
    slug: str | None
    """The slug that the public sees, or saw before the item was withdrawn."""
    due: datetime | None = None
    """The item's scheduled time, if it has one."""
    former_slug: str | None = None
    """The slug that the public saw before, if the transaction changes it."""


@dataclass(frozen=True)
class ItemChange:
    """An item that a transaction creates, changes or deletes, as for ``PublicChange``."""

    change: ItemChangeName
    content_type: str
    item_id: int
    slug: str | None
    public: PublicChange | None
    """Its public change; None if the public state stays as it is."""


class DueItem(NamedTuple):
    """An item that the passing of time makes visible or hides."""

    at: datetime
    change: PublicChangeName
    """``published`` or ``withdrawn``."""
    content_type: str
    item_id: int
    slug: str | None


def public_changes(session: Session, at: datetime) -> list[PublicChange]:
    """Return the public changes of the session's transaction so far, by type and id.

    Several changes of one item are one. Renaming a tag or an author is no change of an item, and
    items that appear or vanish as their time passes are in no transaction.

    :param at: the time up to which the caller knows the items of ``due_items``. The state before
        the transaction is that of this time, and so is the state after it, unless the transaction
        changes the item for the public: then it is that of the change, and ``due_items`` returns
        the item for later times only.
    """
    changes = item_changes(session, at)
    return [each.public for each in changes if each.public is not None]


def item_changes(session: Session, at: datetime) -> list[ItemChange]:
    """Return the changes of the session's transaction so far, as :func:`public_changes` does."""
    session.flush()
    noted = noted_states(session)
    return [
        change
        for kind in public_kinds(instance_of(session))
        if kind.model in noted
        for change in _changes(session, kind, noted[kind.model], at)
    ]


def public_kinds(instance: Instance) -> list[ContentType | Resource]:
    """Return the content types, and the resources of numbered items that the public can see."""
    return [*content_types_of(instance), *public_resources(instance)]


def has_changes(session: Session) -> bool:
    """Whether the session's transaction has created, changed or deleted items so far."""
    session.flush()
    return bool(noted_states(session))


def due_items(
    connection: Connection,
    content_types: Iterable[ContentType],
    since: datetime,
    until: datetime,
    limit: int | None = None,
) -> list[DueItem]:
    """Return the items that appear or vanish by themselves in a period, in order of the times.

    An item that does both is there twice. An item that was changed for the public since its time
    isn't there, as that transaction has its change.

    :param since: the begin of the period, which isn't part of it.
    :param until: the end of the period, which is.
    :param limit: the maximum number of items of each type and change; None for all.
    """
    parts = [
        select(*rows.where(at > since, at <= until).order_by(at, "id").limit(limit).subquery().c)
        for content_type in content_types
        for at, rows in _due(content_type)
    ]
    found = connection.execute(union_all(*parts)) if parts else ()
    due = (DueItem(row[0], PublicChangeName(row[1]), *row[2:]) for row in found)
    return sorted(due, key=lambda each: each.at)


def _due(content_type: ContentType) -> Iterator[tuple[ColumnElement[datetime], Select[Any]]]:
    """Yield the times at which items appear, and those at which they vanish, with the items."""
    columns = content_type.table.c
    appears, vanishes = columns.scheduled_publish_at, seen_until(content_type.table)
    name = literal(content_type.name)
    # An item that would vanish before it appears is never visible.
    found = [(appears, PUBLISHED, or_(vanishes.is_(None), vanishes > appears))]
    times = vanishing_columns(content_type.table)
    for place, at in enumerate(times):
        # An item vanishes at the first of its times only; each has an index.
        is_first = [or_(each.is_(None), at < each) for each in times[:place]]
        is_first += [or_(each.is_(None), at <= each) for each in times[place + 1 :]]
        found.append((at, WITHDRAWN, and_(or_(appears.is_(None), appears < at), *is_first)))
    for at, change, is_seen in found:
        rows = select(at, literal(str(change)), name, columns.id, columns.slug)
        yield at, rows.where(columns.published == true(), is_seen, columns.changed_at < at)


def note_items(session: Session, items: Iterable[Any]) -> None:
    """Note the state of items before a statement that bypasses SQLAlchemy's objects.

    Without it, neither the change log nor :func:`public_changes` tells of the statement.

    :param items: flushed items of content types or resources that the statement changes or deletes.
    """
    for item in items:
        if isinstance(item, ContentItem):
            note_state(session, item, PublicState(*(getattr(item, name) for name in _COLUMNS)))
        else:
            note_resource_items(session, [item])


def _changes(
    session: Session, kind: _Kind, before: Mapping[int, PublicState], at: datetime
) -> Iterator[ItemChange]:
    ids = sorted(before)
    for start in range(0, len(ids), _AT_ONCE):
        batch = ids[start : start + _AT_ONCE]
        after = _read(session, kind, batch)
        for item_id in batch:
            old, new = before[item_id], after.get(item_id, NOT_THERE)
            if old == new == NOT_THERE:
                continue
            was_there, is_there = old != NOT_THERE, new != NOT_THERE
            change = ItemChangeName.CHANGED if was_there else CREATED
            change = change if is_there else DELETED
            slug = old.slug if change == DELETED else new.slug
            seen = _public_change(kind.name, item_id, old, new, at)
            yield ItemChange(change, kind.name, item_id, slug, seen)


def _public_change(
    content_type: str, item_id: int, old: PublicState, new: PublicState, at: datetime
) -> PublicChange | None:
    change = _compare(old, new, at)
    if change is None:
        return None
    shown = old if change == WITHDRAWN else new
    former = old.slug if change == CHANGED and old.slug != new.slug else None
    return PublicChange(
        change, content_type, item_id, shown.slug, shown.scheduled_publish_at, former
    )


def _read(session: Session, kind: _Kind, ids: Sequence[int]) -> dict[int, PublicState]:
    table = kind.model.__table__
    state = _content_state(table) if isinstance(kind, ContentType) else resource_state(kind, table)
    rows = session.execute(select(table.c.id, *state).where(table.c.id.in_(ids)))
    return {row[0]: PublicState(*row[1:]) for row in rows}


def _content_state(table: Table) -> list[ColumnElement[Any]]:
    times = {VANISHES: seen_until(table)}
    return [times[name] if name in times else table.c[name] for name in _COLUMNS]


def _compare(old: PublicState, new: PublicState, at: datetime) -> PublicChangeName | None:
    changed = new.changed_at if new.changed_at != old.changed_at else None
    was_seen, is_seen = is_visible(old, at), is_visible(new, max(at, changed or at))
    if was_seen != is_seen:
        return PUBLISHED if is_seen else WITHDRAWN
    differs = (old.slug, old.changed_at) != (new.slug, new.changed_at)
    return CHANGED if is_seen and differs else None


@event.listens_for(ContentItem, "after_insert", propagate=True)
def _note_new(_mapper: Mapper[Any], _connection: Connection, item: Any) -> None:
    session = object_session(item)
    if session is not None:
        note_state(session, item, NOT_THERE)


@event.listens_for(ContentItem, "after_update", propagate=True)
def _note_changed(_mapper: Mapper[Any], _connection: Connection, item: Any) -> None:
    session = object_session(item)
    if session is not None and not has_noted(session, item):
        note_state(session, item, PublicState(*(value_before(item, name) for name in _COLUMNS)))
