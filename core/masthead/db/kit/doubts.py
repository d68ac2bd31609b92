"""Doubts about a generated revision: possible renames, and columns that existing rows refuse."""

from __future__ import annotations

from collections.abc import Iterator

from alembic.operations.ops import AddColumnOp, DropColumnOp, ModifyTableOps, UpgradeOps
from sqlalchemy import Column


def doubts_about(upgrade: UpgradeOps) -> list[str]:
    """Return a line for each change of existing tables that may be meant in another way."""
    changed = [each for each in upgrade.ops if isinstance(each, ModifyTableOps)]
    return [line for table in changed for line in _doubts(table)]


def _doubts(table: ModifyTableOps) -> Iterator[str]:
    added = [each.column for each in table.ops if isinstance(each, AddColumnOp)]
    dropped = [each.to_column() for each in table.ops if isinstance(each, DropColumnOp)]
    for column in added:
        former = [each.name for each in dropped if _same_type(each, column)]
        if former:
            yield (
                f"The revision adds {table.table_name}.{column.name} and drops"
                f" {' and '.join(former)} of the same type, with its values. If that is a rename,"
                f" write alter_column({former[0]!r}, new_column_name={column.name!r}) instead"
            )
        elif not column.nullable and column.server_default is None:
            yield (
                f"The revision adds {table.table_name}.{column.name}, which is required and has no"
                " server_default: a table with rows refuses it. Give it a server_default, or let it"
                " be null"
            )


def _same_type(one: Column[object], other: Column[object]) -> bool:
    # A dropped column is reflected, so it has a type of the database instead of the model's.
    return one.type.compile() == other.type.compile() or (
        one.type._type_affinity is other.type._type_affinity  # noqa: SLF001
    )
