"""Doubts about a generated revision: possible renames, and columns that existing rows refuse."""

from __future__ import annotations

from collections.abc import Iterator

from alembic.operations.ops import AddColumnOp, DropColumnOp, ModifyTableOps, UpgradeOps
from sqlalchemy import Column, Dialect
from sqlalchemy.dialects import sqlite

# A revision is generated from a scratch database of SQLite.
_DIALECT: Dialect = sqlite.dialect()


def doubts_about(upgrade: UpgradeOps) -> list[str]:
    """Return a line for each change of existing tables that may be meant in another way."""
    changed = [each for each in upgrade.ops if isinstance(each, ModifyTableOps)]
    return [line for table in changed for line in _doubts(table)]


def _doubts(table: ModifyTableOps) -> Iterator[str]:
    added = [each.column for each in table.ops if isinstance(each, AddColumnOp)]
    dropped = [each.to_column() for each in table.ops if isinstance(each, DropColumnOp)]
    for column in added:
        former = next((each for each in dropped if _same_type(each, column)), None)
        if former is not None:
            dropped.remove(former)
            yield (
                f"The revision adds {table.table_name}.{column.name} and drops {former.name} of the"
                " same type, with its values. If that is a rename, write"
                f" alter_column({former.name!r}, new_column_name={column.name!r}) instead"
            )
        elif not column.nullable and column.server_default is None:
            yield (
                f"The revision adds {table.table_name}.{column.name}, which is required and has no"
                " server_default: a table with rows refuses it. Give it a server_default, or let it"
                " be null"
            )


def _same_type(one: Column[object], other: Column[object]) -> bool:
    return one.type.compile(_DIALECT) == other.type.compile(_DIALECT)
