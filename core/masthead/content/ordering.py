"""The order of lists: a column that is never null, so that one index scan reads a page.

``position`` is a copy of the field that a content type is ordered by, for a day its text, and for
a decimal number its millionths. An extreme value stands for
null, so that nulls come last in either direction and on both databases. Links to tags have the
column, too, so that a list of one tag is read by an index scan as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import BigInteger, Column, Index, Table, bindparam, event, text
from sqlalchemy.orm import Mapper, mapped_column

from masthead.db import KEY, UTCDateTime
from masthead.db.changed_tables import seen_if
from masthead.db.fixed_point import FixedPoint, millionths
from masthead.db.of_transaction import change_of
from masthead.schemas.field_types import MAX_ID
from masthead.schemas.fields import default_of


@dataclass(frozen=True)
class Order:
    """The column that lists are ordered by, and the direction."""

    column: Column[Any]
    descending: bool

    @property
    def type(self) -> Any:
        """The type of the position."""
        if isinstance(self.column.type, UTCDateTime):
            return UTCDateTime()
        return BigInteger() if self._is_number else KEY

    @property
    def last(self) -> Any:
        """The position that stands for null."""
        if isinstance(self.column.type, UTCDateTime):
            return datetime.min.replace(tzinfo=UTC) if self.descending else _LATEST
        if self._is_number:
            return -MAX_ID - 1 if self.descending else MAX_ID
        return "" if self.descending else "\U0010ffff"

    def position(self, item: Any) -> Any:
        """Return an item's position."""
        value = getattr(item, self.column.key)
        if isinstance(self.column.type, FixedPoint) and value is not None:
            return millionths(value)
        if type(value) is date:
            return value.isoformat()
        return self.last if value is None else value

    @property
    def _is_number(self) -> bool:
        return self.column.type.python_type in (int, Decimal)

    def fill_in(self, item: Any) -> None:
        """Set the column's default on a new item, which SQLAlchemy would only do later."""
        if getattr(item, self.column.key) is None:
            setattr(item, self.column.key, default_of(self.column))


_LATEST = datetime(9999, 12, 31, 23, 59, 59, 999000, tzinfo=UTC)


def keep_positions(model: Any, links: Table, order: Order) -> None:
    """Add the column ``position`` to a model, and update it and its links' copy at each flush."""
    model.position = mapped_column(order.type, nullable=False, sort_order=30)
    table: Table = model.__table__
    # Text, because an expression would be rendered for one database, and migrations run on both.
    Index(
        f"ix_{table.name}_shown",
        table.c.position,
        table.c.id,
        table.c.scheduled_publish_at,
        table.c.scheduled_unpublish_at,
        sqlite_where=text("published = 1"),
        postgresql_where=text("published"),
    )
    Index(f"ix_{table.name}_position", table.c.position, table.c.id)

    its_links = links.c.item_id == bindparam("moved")
    move_links = links.update().where(its_links).values(position=bindparam("new_position"))

    def set_position(_mapper: Mapper[Any], _connection: Any, item: Any) -> None:
        position = order.position(item)
        if item.position != position:
            item.position = position

    def move_item_links(_mapper: Mapper[Any], connection: Any, item: Any) -> None:
        if change_of(item, "position").has_changes():
            moved = {"moved": item.id, "new_position": item.position}
            connection.execute(move_links, moved, execution_options=seen_if(item.published))

    def set_first_position(_mapper: Mapper[Any], _connection: Any, item: Any) -> None:
        order.fill_in(item)
        item.position = order.position(item)

    event.listen(model, "before_insert", set_first_position)
    event.listen(model, "before_update", set_position)
    event.listen(model, "after_update", move_item_links)
