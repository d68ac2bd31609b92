"""The visibility predicate: the only way to select content for the public."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Connection,
    FromClause,
    Index,
    Select,
    Table,
    and_,
    bindparam,
    case,
    false,
    or_,
    select,
    text,
    true,
    union_all,
)

from masthead.db import UTCDateTime, utcnow

NOW = bindparam("now", type_=UTCDateTime())
"""The time at which visibility is evaluated, in statements that are built once."""


def visible(table: FromClause) -> ColumnElement[bool]:
    """Return the condition that the public sees an item at ``NOW``.

    It is published, and its scheduled time has passed.

    :param table: a content type's table, or an alias of it.
    """
    due = table.c.scheduled_publish_at
    return and_(table.c.published == true(), or_(due.is_(None), due <= NOW))


def seen_since(table: FromClause) -> ColumnElement[datetime]:
    """Return the time since which the public sees an item that is visible as it is now.

    :param table: a content type's table, or an alias of it.
    """
    changed, due = table.c.changed_at, table.c.scheduled_publish_at
    since: ColumnElement[datetime] = case((due > changed, due), else_=changed)
    return since


def is_visible(published: bool, due: datetime | None, now: datetime) -> bool:
    """Whether the public sees an item at ``now``: the same predicate for an item in memory.

    :param due: the item's ``scheduled_publish_at``.
    """
    return published and (due is None or due <= now)


def visible_ids(connection: Connection, table: Table, ids: Collection[int]) -> set[int]:
    """Return the ids of those of the given items that the public sees.

    :param table: a content type's table.
    """
    visible_rows = select(table.c.id).where(table.c.id.in_(ids), visible(table))
    return set(connection.execute(visible_rows, now_parameters()).scalars())


def hidden_ids(table: Table) -> CompoundSelect[tuple[int]]:
    """Return the ids of the items that the public doesn't see at ``NOW``, usually a few.

    :param table: a content type's table.
    """
    # Two selects, because no index serves both conditions at once.
    unpublished = select(table.c.id).where(table.c.published == false())
    return union_all(unpublished, _scheduled_ids(table))


def visible_by_index(table: Table) -> ColumnElement[bool]:
    """Return the same predicate in a form for counts that indexes alone can answer.

    :param table: a content type's table.
    """
    return and_(table.c.published == true(), table.c.id.not_in(_scheduled_ids(table)))


def _scheduled_ids(table: Table) -> Select[tuple[int]]:
    return select(table.c.id).where(table.c.scheduled_publish_at > NOW)


def index_hidden(table: Table) -> None:
    """Add an index of the items that aren't published."""
    Index(
        f"ix_{table.name}_hidden",
        table.c.id,
        sqlite_where=text("published = 0"),
        postgresql_where=text("NOT published"),
    )


def now_parameters() -> dict[str, datetime]:
    """Return the parameters of a statement with the predicate."""
    return {NOW.key: utcnow()}
