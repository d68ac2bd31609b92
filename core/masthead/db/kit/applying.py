"""Apply the missing steps of the kit to the tables that use it.

Steps only add to existing tables, so processes of the previous release can continue to use them:
``ALTER TABLE … ADD COLUMN`` adds columns, and no table is rebuilt.
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


def apply_missing_steps(connection: Connection, tables: Iterable[KitTable]) -> None:
    """Apply the missing steps to tables, and record the new step; skip tables that don't exist.

    :raises StartError: if a step can't be applied to a table.
    """
    found = recorded(connection)
    for table in tables:
        if table.name in found:
            kit, number = found[table.name]
            if kit != table.kit:
                raise StartError(f"{table.name} was created as {kit}, but its model is {table.kit}")
        elif inspect(connection).has_table(table.name):
            number = _adopted_step(connection, table)
        else:
            continue
        for step in steps.STEPS[number:]:
            _apply(connection, table, step)
        if table.name not in found or number < steps.newest():
            record(connection, table.name, table.kit, max(number, steps.newest()))


def _adopted_step(connection: Connection, table: KitTable) -> int:
    """Return the step of a table without a record, which is older than the records.

    :raises StartError: if the table lacks columns of the kit's first step.
    """
    number = steps.first_of(table.kit)
    for suffix, wanted in table.shape(number).items():
        missing = set(wanted.c.keys()) - _columns(connection, table.name + suffix)
        if missing:
            raise StartError(
                f"{table.name}{suffix} lacks {', '.join(sorted(missing))} of kit {number};"
                " create the table with create_kit_table() in a revision"
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
    existing = _columns(connection, table.name)
    for column in part.columns:
        if column.name in existing:
            plugin = table.name.partition("_")[0]
            raise StartError(
                f"{table.name} has its own column {column.name}, and kit {number} adds one;"
                f" {plugin} has to rename its column"
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
    clauses = [str(CreateColumn(column).compile(dialect=dialect))]
    clauses += [_reference(connection, key) for key in column.foreign_keys]
    connection.exec_driver_sql(f"ALTER TABLE {table} ADD COLUMN {' '.join(clauses)}")


def _reference(connection: Connection, key: ForeignKey) -> str:
    """Return a foreign key as a column constraint, the only form that SQLite can add."""
    quoted = connection.dialect.identifier_preparer
    assert key.constraint is not None
    clauses = (
        f"CONSTRAINT {quoted.format_constraint(key.constraint)}"
        f" REFERENCES {quoted.format_table(key.column.table)} ({quoted.format_column(key.column)})"
    )
    return f"{clauses} ON DELETE {key.ondelete}" if key.ondelete else clauses
