"""The record of each table that uses the kit: its kit and its current step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sqlalchemy import Connection, delete, insert, inspect, select
from sqlalchemy.orm import Mapped, mapped_column

from masthead.db import KEY
from masthead.db.base import Base
from masthead.db.exportable import NOT_EXPORTED
from masthead.db.kit import steps
from masthead.db.kit.tables import KitTable


class KitRecord(Base):
    """The kit and the current step of a table of items."""

    __tablename__ = "core_kit_table"
    __table_args__ = {"info": NOT_EXPORTED}

    name: Mapped[str] = mapped_column(KEY, primary_key=True)
    kit: Mapped[str]
    step: Mapped[int]


def recorded(connection: Connection) -> Mapping[str, tuple[str, int]]:
    """Return the kit and the step of each table that has a record, by the table's name."""
    if not inspect(connection).has_table(KitRecord.__tablename__):
        return {}
    rows = connection.execute(select(KitRecord.name, KitRecord.kit, KitRecord.step))
    return {name: (kit, step) for name, kit, step in rows}


def record(connection: Connection, name: str, kit: str, step: int) -> None:
    """Record the current step of a table."""
    connection.execute(delete(KitRecord).where(KitRecord.name == name))
    connection.execute(insert(KitRecord).values(name=name, kit=kit, step=step))


def record_newest(connection: Connection, tables: Iterable[KitTable]) -> None:
    """Record the newest step for tables that were created from their models."""
    for table in tables:
        record(connection, table.name, table.kit, steps.newest())
