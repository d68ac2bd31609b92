"""The visibility predicate: the only way to select content for the public."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Protocol

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Connection,
    FromClause,
    Index,
    Table,
    and_,
    case,
    false,
    literal_column,
    or_,
    select,
    text,
    true,
    union_all,
)

from masthead.db.moment import NOW as NOW  # noqa: PLC0414 - most users need the predicate, too
from masthead.db.moment import now_parameters as now_parameters  # noqa: PLC0414 - the same

HIDDEN, SCHEDULED, VISIBLE, EXPIRED = "hidden", "scheduled", "visible", "expired"
STATES = (HIDDEN, SCHEDULED, VISIBLE, EXPIRED)
"""The states of visibility: not published; before its time; seen by the public; after its time."""


def visible(table: FromClause) -> ColumnElement[bool]:
    """Return the condition that the public sees an item at ``NOW``.

    It is published, its scheduled time has passed, and the time at which it vanishes has not.

    :param table: a content type's table, or an alias of it.
    """
    due, until = table.c.scheduled_publish_at, seen_until(table)
    return and_(
        table.c.published == true(),
        or_(due.is_(None), due <= NOW),
        or_(until.is_(None), until > NOW),
    )


def seen_until(table: FromClause) -> ColumnElement[datetime]:
    """Return the time at which an item vanishes by itself; null for an item that never does.

    :param table: a content type's table, or an alias of it.
    """
    until: ColumnElement[datetime] = table.c.scheduled_unpublish_at
    return until


def seen_since(table: FromClause) -> ColumnElement[datetime]:
    """Return the time since which the public sees an item that is visible as it is now.

    :param table: a content type's table, or an alias of it.
    """
    changed, due = table.c.changed_at, table.c.scheduled_publish_at
    since: ColumnElement[datetime] = case((due > changed, due), else_=changed)
    return since


def states(table: FromClause) -> dict[str, ColumnElement[bool]]:
    """Return the condition of each state of visibility; every item is in one of them.

    :param table: a content type's table, or an alias of it.
    """
    published, until = table.c.published == true(), seen_until(table)
    return {
        HIDDEN: table.c.published == false(),
        EXPIRED: and_(published, until <= NOW),
        SCHEDULED: and_(
            published, table.c.scheduled_publish_at > NOW, or_(until.is_(None), until > NOW)
        ),
        VISIBLE: visible(table),
    }


def state(table: FromClause) -> ColumnElement[str]:
    """Return the state of visibility of an item at ``NOW``.

    :param table: a content type's table, or an alias of it.
    """
    found: ColumnElement[str] = case(
        *((condition, literal_column(f"'{name}'")) for name, condition in states(table).items())
    )
    return found


class Timed(Protocol):
    """The attributes of an item that the predicate depends on."""

    @property
    def published(self) -> bool: ...
    @property
    def scheduled_publish_at(self) -> datetime | None: ...
    @property
    def scheduled_unpublish_at(self) -> datetime | None: ...


def is_visible(item: Timed, now: datetime) -> bool:
    """Whether the public sees an item at ``now``: the same predicate for an item in memory."""
    due, until = item.scheduled_publish_at, item.scheduled_unpublish_at
    return item.published and (due is None or due <= now) and (until is None or until > now)


def visible_ids(connection: Connection, table: Table, ids: Collection[int]) -> set[int]:
    """Return the ids of those of the given items that the public sees.

    :param table: a content type's table.
    """
    visible_rows = select(table.c.id).where(table.c.id.in_(ids), visible(table))
    return set(connection.execute(visible_rows, now_parameters()).scalars())


def hidden_ids(table: Table) -> CompoundSelect[tuple[int]]:
    """Return the ids of the items that the public doesn't see at ``NOW``.

    :param table: a content type's table.
    """
    ids = select(table.c.id)
    # One select for each condition, because no index serves several at once.
    return union_all(
        ids.where(table.c.published == false()),
        ids.where(table.c.scheduled_publish_at > NOW),
        ids.where(seen_until(table) <= NOW),
    )


def index_hidden(table: Table) -> None:
    """Add indexes of the items that aren't published, and of those that vanish by themselves."""
    until = table.c.scheduled_unpublish_at
    vanishes = text("scheduled_unpublish_at IS NOT NULL")
    Index(
        f"ix_{table.name}_unpublish",
        until,
        table.c.id,
        sqlite_where=vanishes,
        postgresql_where=vanishes,
    )
    Index(
        f"ix_{table.name}_hidden",
        table.c.id,
        sqlite_where=text("published = 0"),
        postgresql_where=text("NOT published"),
    )
