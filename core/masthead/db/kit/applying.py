"""Bringing the tables that use the kit to its newest step.

Everything is added to the tables as they stand, so that processes of the release before go on with
them: columns by ``ALTER TABLE … ADD COLUMN``, and no table is ever made anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sqlalchemy import Column, Connection, ForeignKey, Table, inspect
from sqlalchemy.schema import CreateColumn, CreateIndex

from masthead.db.kit import steps
from masthead.db.kit.declaration import KitPart, KitStep
from masthead.db.kit.records import record, recorded
from masthead.db.kit.tables import KitTable
from masthead.errors import StartError


def bring_up(connection: Connection, tables: Iterable[KitTable]) -> None:
    """Apply the steps that tables lack, and record it; tables that aren't there are left out.

    :raises StartError: for a table that can't take a step.
    """
    found = recorded(connection)
    for table in tables:
        if table.name in found:
            kit, number = found[table.name]
            if kit != table.kit:
                raise StartError(f"{table.name} was made as {kit}, and its model is {table.kit}")
        elif inspect(connection).has_table(table.name):
            number = _adopted(connection, table)
        else:
            continue
        for step in steps.STEPS[number:]:
            _apply(connection, table, step)
        if table.name not in found or number < steps.newest():
            record(connection, table.name, table.kit, max(number, steps.newest()))


def _adopted(connection: Connection, table: KitTable) -> int:
    """The step of a table without a record, which was made before there were any.

    :raises StartError: where it lacks columns that the kit has had from the start.
    """
    number = steps.first_of(table.kit)
    for suffix, wanted in table.shape(number).items():
        missing = set(wanted.c.keys()) - _columns(connection, table.name + suffix)
        if missing:
            raise StartError(
                f"{table.name}{suffix} lacks {', '.join(sorted(missing))} of kit {number};"
                " a revision makes such a table by create_kit_table()"
            )
    return number


def _columns(connection: Connection, name: str) -> set[str]:
    inspector = inspect(connection)
    if not inspector.has_table(name):
        return set()
    return {column["name"] for column in inspector.get_columns(name)}


def _apply(connection: Connection, table: KitTable, step: KitStep) -> None:
    before, after = table.shape(step.number - 1), table.shape(step.number)
    for suffix, part in steps.parts_of(table.kit, step):
        if suffix in before:
            _extend(connection, after[suffix], part, step.number)
    for suffix in after.keys() - before.keys():
        after[suffix].create(connection)


def _extend(connection: Connection, table: Table, part: KitPart, number: int) -> None:
    there = _columns(connection, table.name)
    for column in part.columns:
        if column.name in there:
            plugin = table.name.partition("_")[0]
            raise StartError(
                f"{table.name} has a column {column.name} of its own, which kit {number} adds;"
                f" {plugin} has to give it another name"
            )
        _add_column(connection, table.c[column.name])
    added: Mapping[str, object] = dict.fromkeys(
        f"ix_{table.name}_{index.name}" for index in part.indexes
    )
    for index in sorted(table.indexes, key=lambda index: str(index.name)):
        if index.name in added:
            connection.execute(CreateIndex(index))


def _add_column(connection: Connection, column: Column[object]) -> None:
    dialect = connection.dialect
    table = dialect.identifier_preparer.format_table(column.table)
    words = [str(CreateColumn(column).compile(dialect=dialect))]
    words += [_reference(connection, key) for key in column.foreign_keys]
    connection.exec_driver_sql(f"ALTER TABLE {table} ADD COLUMN {' '.join(words)}")


def _reference(connection: Connection, key: ForeignKey) -> str:
    """A reference as part of a column's definition: SQLite adds none otherwise."""
    quoted = connection.dialect.identifier_preparer
    assert key.constraint is not None
    words = (
        f"CONSTRAINT {quoted.format_constraint(key.constraint)}"
        f" REFERENCES {quoted.format_table(key.column.table)} ({quoted.format_column(key.column)})"
    )
    return f"{words} ON DELETE {key.ondelete}" if key.ondelete else words
