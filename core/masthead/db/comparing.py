"""Comparison of the tables of a database with the models of the enabled plugins."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, MetaData

from masthead.db.engine import Database
from masthead.db.migrate import options

if TYPE_CHECKING:
    from masthead.plugins import Plugin

_LACKS = {
    "add_table": "the database lacks the table {0.name}",
    "remove_table": "no model declares the table {0.name}",
    "add_index": "{0.table.name} lacks the index {0.name}",
    "remove_index": "no model declares the index {0.name} of {0.table.name}",
    "add_constraint": "{0.table.name} lacks the constraint {0.name}",
    "remove_constraint": "no model declares the constraint {0.name} of {0.table.name}",
    "add_fk": "{0.table.name} lacks the foreign key {0.name}",
    "remove_fk": "no model declares the foreign key {0.name} of {0.table.name}",
}
"""The messages by Alembic's name of an operation that would make the tables equal the models."""
_DIFFER = {
    "modify_type": "the type",
    "modify_nullable": "nullable",
    "modify_default": "the default",
}


def differences(database: Database, plugins: Sequence[Plugin]) -> list[str]:
    """Return a line for each difference between the tables and the models, by plugin.

    The columns and indexes of the kit don't belong to a plugin and aren't compared.
    """
    with database.read() as connection:
        return [
            f"{plugin.name}: {line}"
            for plugin in plugins
            for line in _lines(_operations(connection, plugin, plugin.metadata or MetaData()))
        ]


def _operations(connection: Connection, plugin: Plugin, models: MetaData) -> list[Any]:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    from masthead.db import batch  # noqa: F401 - registers PreservingSQLiteImpl with Alembic

    with warnings.catch_warnings():
        # Reflection on SQLite misses an index on an expression.
        warnings.filterwarnings("ignore", ".*expression-based index")
        context = MigrationContext.configure(connection, opts=options(plugin))
        found: list[Any] = compare_metadata(context, models)
    return found


def _lines(operations: Iterable[Any]) -> Iterator[str]:
    for operation in operations:
        if isinstance(operation, list):
            yield from _lines(operation)
            continue
        kind, *details = operation
        if kind == "add_column":
            yield f"{details[1]} lacks the column {details[2].name}"
        elif kind == "remove_column":
            yield f"no model declares the column {details[1]}.{details[2].name}"
        elif kind in _DIFFER:
            _, table, column, _, stored, declared = details
            yield f"{_DIFFER[kind]} of {table}.{column} is {stored}, the model has {declared}"
        else:
            yield _LACKS.get(kind, f"{kind} {{0}}").format(*details)
