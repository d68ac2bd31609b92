"""The visibility predicate: the only way to select content for the public."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from sqlalchemy import (
    Alias,
    ColumnElement,
    CompoundSelect,
    Connection,
    FromClause,
    Index,
    Table,
    and_,
    case,
    false,
    func,
    literal_column,
    null,
    or_,
    select,
    text,
    true,
    union_all,
)

from masthead.db import UTCDateTime
from masthead.db.moment import NOW as NOW  # noqa: PLC0414 - most users need the predicate, too
from masthead.db.moment import now_parameters as now_parameters  # noqa: PLC0414 - the same

HIDDEN, SCHEDULED, VISIBLE, EXPIRED = "hidden", "scheduled", "visible", "expired"
STATES = (HIDDEN, SCHEDULED, VISIBLE, EXPIRED)
"""The states of visibility: not published; before its time; seen by the public; after its time."""


_EXPIRY = "masthead.expiry"
"""The key of a table's ``info`` for the :class:`Expiry` of its items."""


@dataclass(frozen=True)
class Expiry:
    """The column with a time of the content type's own at which its items vanish."""

    attribute: str
    """The name of the column, and of the model's attribute."""
    indexed: str
    """The column of conditions: ``position`` if it is a copy of the times."""
    keeps_detail: bool
    """Whether the public still sees the item alone, outside of lists."""

    def declare(self, table: Table) -> None:
        """Let the items of a content type's table expire, and add the indexes for that."""
        table.info[_EXPIRY] = self
        until, columns = table.c[self.attribute], table.c
        if self.indexed != self.attribute:
            return
        Index(f"ix_{table.name}_expires", until, columns.id)
        # In place of the kit's index of shown items, which lacks the column.
        Index(
            f"ix_{table.name}_current",
            columns.position,
            columns.id,
            columns.scheduled_publish_at,
            columns.scheduled_unpublish_at,
            until,
            sqlite_where=text("published = 1"),
            postgresql_where=text("published"),
        )


def expiry_of(table: FromClause) -> Expiry | None:
    """Return the expiry of a content type's items; None if they have no time of their own.

    :param table: a content type's table, or an alias of it.
    """
    original = table.element if isinstance(table, Alias) else table
    found: Expiry | None = original.info.get(_EXPIRY) if isinstance(original, Table) else None
    return found


def visible(table: FromClause) -> ColumnElement[bool]:
    """Return the condition that the public sees an item at ``NOW``.

    It is published, its scheduled time has passed, and the times at which it vanishes have not.

    :param table: a content type's table, or an alias of it.
    """
    return and_(_has_appeared(table), *(_is_later(until) for until in vanishing_columns(table)))


def readable(table: FromClause) -> ColumnElement[bool]:
    """Return the condition that the public may read an item alone at ``NOW``.

    That is each visible item, and with ``detail="open"`` also one that has expired.

    :param table: a content type's table, or an alias of it.
    """
    expiry = expiry_of(table)
    if expiry is None or not expiry.keeps_detail:
        return visible(table)
    return and_(_has_appeared(table), _is_later(table.c.scheduled_unpublish_at))


def has_expired(table: FromClause) -> ColumnElement[bool]:
    """Return whether the own time of an item, which has one, has passed at ``NOW``."""
    expiry = expiry_of(table)
    until = table.c[expiry.attribute] if expiry else null()
    return and_(until.is_not(None), until <= NOW)


def _has_appeared(table: FromClause) -> ColumnElement[bool]:
    due = table.c.scheduled_publish_at
    return and_(table.c.published == true(), or_(due.is_(None), due <= NOW))


def _is_later(until: Any) -> ColumnElement[bool]:
    # Only a condition without an alternative can use an index.
    later: ColumnElement[bool] = until > NOW
    return or_(until.is_(None), later) if until.nullable else later


def vanishing_columns(table: FromClause) -> list[Any]:
    """Return the columns of the times at which an item vanishes by itself.

    :param table: a content type's table, or an alias of it.
    """
    expiry = expiry_of(table)
    return [table.c.scheduled_unpublish_at, *([table.c[expiry.indexed]] if expiry else ())]


def seen_until(table: FromClause) -> ColumnElement[datetime]:
    """Return the time at which an item vanishes by itself; null for an item that never does.

    :param table: a content type's table, or an alias of it.
    """
    expiry, until = expiry_of(table), table.c.scheduled_unpublish_at
    return until if expiry is None else earlier(until, table.c[expiry.attribute])


def earlier(
    first: ColumnElement[datetime], second: ColumnElement[datetime]
) -> ColumnElement[datetime]:
    """Return the earlier one of two times; the other one if one is null."""
    return case((second <= first, second), else_=func.coalesce(first, second, type_=UTCDateTime()))


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
    published, times = table.c.published == true(), vanishing_columns(table)
    return {
        HIDDEN: table.c.published == false(),
        EXPIRED: and_(published, or_(*(until <= NOW for until in times))),
        SCHEDULED: and_(published, table.c.scheduled_publish_at > NOW, *map(_is_later, times)),
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
    def vanishes_at(self) -> datetime | None: ...


def is_visible(item: Timed, now: datetime) -> bool:
    """Whether the public sees an item at ``now``: the same predicate for an item in memory."""
    due, until = item.scheduled_publish_at, item.vanishes_at
    return item.published and (due is None or due <= now) and (until is None or until > now)


def is_readable(item: Any, now: datetime) -> bool:
    """Whether the public may read an item of content alone at ``now``, as ``readable`` says."""
    expiry, due = expiry_of(item.__table__), item.scheduled_publish_at
    if expiry is None or not expiry.keeps_detail:
        return is_visible(item, now)
    until = item.scheduled_unpublish_at
    has_appeared = item.published and (due is None or due <= now)
    return bool(has_appeared and (until is None or until > now))


def vanishing_time(table: FromClause, read: Callable[[str], datetime | None]) -> datetime | None:
    """Return the time at which an item in memory vanishes by itself; None if it never does.

    :param read: returns the value of an attribute of the item.
    """
    expiry = expiry_of(table)
    names = ("scheduled_unpublish_at", *([expiry.attribute] if expiry else ()))
    return min((time for name in names if (time := read(name)) is not None), default=None)


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
        *(ids.where(until <= NOW) for until in vanishing_columns(table)),
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
