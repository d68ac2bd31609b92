"""Apply the missing steps of the kit to the tables that use it.

Steps only add to existing tables, so processes of the previous release can continue to use them:
``ALTER TABLE … ADD COLUMN`` adds columns, and no table is rebuilt. Only indexes are replaced. On
PostgreSQL, each step of each table is committed by itself, and indexes block no writers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from sqlalchemy import Column, Connection, ForeignKey, Table, inspect
from sqlalchemy.schema import CreateColumn

from masthead.db.indexes import build
from masthead.db.kit import steps
from masthead.db.kit.declaration import KitPart, KitStep
from masthead.db.kit.records import record, recorded
from masthead.db.kit.tables import KitTable
from masthead.errors import StartError


def apply_missing_steps(
    connection: Connection, tables: Iterable[KitTable], commit: Callable[[], object]
) -> None:
    """Apply the missing steps to tables, and record each step; skip tables that don't exist.

    :param commit: is called after each step that is recorded.
    :raises StartError: if a step can't be applied to a table.
    """
    records = recorded(connection)
    existing = inspect(connection).get_table_names()
    for table in tables:
        if table.name in existing:
            number = _current_step(connection, table, records)
            if table.name not in records:
                record(connection, table.name, table.kit, number)
            for step in steps.STEPS[number:]:
                _apply(connection, table, step)
                record(connection, table.name, table.kit, step.number)
                commit()
    commit()


def _current_step(
    connection: Connection, table: KitTable, records: Mapping[str, tuple[str, int]]
) -> int:
    if table.name not in records:
        return _step_without_record(connection, table)
    kit, number = records[table.name]
    if kit != table.kit:
        raise StartError(f"{table.name} was created as {kit}, but its model is {table.kit}")
    return number


def _step_without_record(connection: Connection, table: KitTable) -> int:
    """Return the step of a table that is older than the records.

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
        if _columns(connection, after[suffix].name):
            raise StartError(
                f"{_plugin_of(table)} has its own table {after[suffix].name}, and kit {step.number}"
                f" adds one; {_plugin_of(table)} has to rename its table"
            )
        after[suffix].create(connection)


def _extend(connection: Connection, table: Table, part: KitPart, number: int) -> None:
    existing = _columns(connection, table.name)
    for column in part.columns:
        if column.name in existing:
            raise StartError(
                f"{table.name} has its own column {column.name}, and kit {number} adds one;"
                f" {_plugin_of(table)} has to rename its column"
            )
        _add_column(connection, table.c[column.name])
    if part.indexes or part.replaced_indexes:
        names = {f"ix_{table.name}_{index.name}" for index in part.indexes}
        indexes = sorted((i for i in table.indexes if i.name in names), key=lambda i: str(i.name))
        build(connection, indexes, [f"ix_{table.name}_{name}" for name in part.replaced_indexes])


def _plugin_of(table: Table | KitTable) -> str:
    return table.name.partition("_")[0]


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
