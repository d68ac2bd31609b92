"""Comparison of tables before and after a revision: it must only add to them.

The code of the previous release continues to read and write the tables: it names all columns that
it knows and none that are new.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, inspect
from sqlalchemy.engine import Inspector

from masthead.db.rolling.findings import Finding


@dataclass(frozen=True)
class TableShape:
    """The columns and constraints of a table."""

    columns: Mapping[str, Mapping[str, Any]]
    """The reflected columns by name."""
    key: tuple[str, ...]
    unique: Mapping[frozenset[str], str]
    """The names of unique constraints and indexes by their columns."""
    references: frozenset[tuple[tuple[str, ...], str]]
    """The columns and the target table of each foreign key."""
    checks: frozenset[str]


@dataclass(frozen=True)
class Shape:
    """The tables of a database."""

    tables: Mapping[str, TableShape] = field(default_factory=dict)

    def lacks(self, table: str, columns: frozenset[str]) -> bool:
        """Whether a table exists and one of the columns doesn't."""
        return table in self.tables and bool(columns - self.tables[table].columns.keys())


def shape_of(connection: Connection, owner: str) -> Shape:
    """Return the shape of the tables of a plugin, without those that record migrations."""
    inspector = inspect(connection)
    names = [name for name in inspector.get_table_names() if name.startswith(f"{owner}_")]
    return Shape({name: _table(inspector, name) for name in names})


def changes(earlier: Shape, before: Shape, after: Shape) -> Iterator[Finding]:
    """Yield what a revision changes or takes away.

    :param earlier: the tables before the preceding revision. An index that is built concurrently
        has a revision of its own, after the one that adds its columns.
    """
    for name, old in before.tables.items():
        new = after.tables.get(name)
        if new is None:
            yield Finding("dropped-table", f"drops or renames the table {name}")
        else:
            yield from _column_changes(name, old, new)
            yield from _new_constraints(name, earlier, old, new)


def _table(inspector: Inspector, name: str) -> TableShape:
    indexes: list[Any] = [each for each in inspector.get_indexes(name) if each["unique"]]
    unique = {
        frozenset(map(str, each["column_names"])): str(each["name"])
        for each in (*inspector.get_unique_constraints(name), *indexes)
    }
    return TableShape(
        {column["name"]: column for column in inspector.get_columns(name)},
        tuple(inspector.get_pk_constraint(name)["constrained_columns"]),
        unique,
        frozenset(
            (tuple(each["constrained_columns"]), each["referred_table"])
            for each in inspector.get_foreign_keys(name)
        ),
        frozenset(str(each["sqltext"]) for each in inspector.get_check_constraints(name)),
    )


def _column_changes(table: str, old: TableShape, new: TableShape) -> Iterator[Finding]:
    for name, before in old.columns.items():
        place, after = f"{table}.{name}", new.columns.get(name)
        if after is None:
            yield Finding("dropped-column", f"drops or renames the column {place}")
            continue
        if str(before["type"]) != str(after["type"]):
            types = f"from {before['type']} to {after['type']}"
            yield Finding("changed-type", f"changes the type of {place} {types}")
        if before["nullable"] and not after["nullable"]:
            yield Finding("required-column", f"makes the column {place} NOT NULL")
        if before["default"] is not None and after["default"] is None and not after["nullable"]:
            yield Finding("removed-default", f"removes the default of the column {place}")
    for name in new.columns.keys() - old.columns.keys():
        column = new.columns[name]
        has_value = column["nullable"] or column["default"] is not None
        if not (has_value or column.get("identity") or column.get("computed")):
            text = f"adds the column {table}.{name}, which is NOT NULL and has no default"
            yield Finding("required-column", text)
    if old.key != new.key:
        yield Finding("changed-key", f"changes the primary key of {table}")


def _new_constraints(
    table: str, earlier: Shape, old: TableShape, new: TableShape
) -> Iterator[Finding]:
    def is_new(columns: frozenset[str]) -> bool:
        return earlier.lacks(table, columns) or bool(columns - old.columns.keys())

    for columns in new.unique.keys() - old.unique.keys():
        if not is_new(columns):
            text = f"makes existing columns of {table} unique: {new.unique[columns]}"
            yield Finding("new-unique", text)
    for referring, target in new.references - old.references:
        if not is_new(frozenset(referring)):
            text = f"adds a foreign key from {table} ({', '.join(referring)}) to {target}"
            yield Finding("new-constraint", text)
    for condition in new.checks - old.checks:
        if not is_new(frozenset(re.findall(r"\w+", condition)) & new.columns.keys()):
            yield Finding("new-constraint", f"adds a check to {table}: {condition}")
