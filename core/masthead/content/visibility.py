"""What the public sees: one predicate, and no other way to select content for it."""

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
    false,
    or_,
    select,
    text,
    true,
    union_all,
)

from masthead.db import UTCDateTime, utcnow

NOW = bindparam("now", type_=UTCDateTime())
"""The time that visibility is judged at, in statements that are built once."""


def visible(table: FromClause) -> ColumnElement[bool]:
    """Whether the public sees an item at ``NOW``: it is published, and its time has come.

    :param table: a content type's table, or an alias of it.
    """
    due = table.c.scheduled_publish_at
    return and_(table.c.published == true(), or_(due.is_(None), due <= NOW))


def is_visible(published: bool, due: datetime | None, now: datetime) -> bool:
    """The same predicate for an item that is read already.

    :param due: its ``scheduled_publish_at``.
    """
    return published and (due is None or due <= now)


def seen_ids(connection: Connection, table: Table, ids: Collection[int]) -> set[int]:
    """Which items among some the public sees.

    :param table: a content type's table.
    """
    seen = select(table.c.id).where(table.c.id.in_(ids), visible(table))
    return set(connection.execute(seen, now_parameters()).scalars())


def hidden_ids(table: Table) -> CompoundSelect[tuple[int]]:
    """The ids of the items that the public doesn't see at ``NOW``; mostly these are the few.

    :param table: a content type's table.
    """
    # In two selects, as no index serves both conditions at once.
    unpublished = select(table.c.id).where(table.c.published == false())
    return union_all(unpublished, _withheld_ids(table))


def visible_by_index(table: Table) -> ColumnElement[bool]:
    """The same predicate for counts, as indexes alone can answer it.

    :param table: a content type's table.
    """
    return and_(table.c.published == true(), table.c.id.not_in(_withheld_ids(table)))


def _withheld_ids(table: Table) -> Select[tuple[int]]:
    return select(table.c.id).where(table.c.scheduled_publish_at > NOW)


def index_hidden(table: Table) -> None:
    """Let the items that aren't published be found at once."""
    Index(
        f"ix_{table.name}_hidden",
        table.c.id,
        sqlite_where=text("published = 0"),
        postgresql_where=text("NOT published"),
    )


def now_parameters() -> dict[str, datetime]:
    """The parameters that a statement with the predicate needs."""
    return {NOW.key: utcnow()}
