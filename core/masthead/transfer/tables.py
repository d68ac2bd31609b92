"""Which tables travel, in which order, and with which columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import JSON, Column, Table, bindparam, exists, insert, select, update
from sqlalchemy.orm import Session
from sqlalchemy.schema import sort_tables_and_constraints
from sqlalchemy.sql.dml import Insert, Update

from masthead.db.exportable import IMPORT_DEFAULT, NOT_EXPORTED_KEY, REPLACED_KEY
from masthead.errors import Invalid
from masthead.instance import Instance
from masthead.transfer.values import Codec, codec_of

BATCH = 500
"""Rows that are held in memory at once."""
_KEY = "key_"
"""What the names of parameters start with that find a row."""


@dataclass(frozen=True)
class ExportableTable:
    """A table that travels."""

    table: Table
    codecs: Mapping[str, Codec]
    """Of the columns that travel, by name."""
    import_defaults: Mapping[str, Any]
    """What the others have in each row that arrives."""
    deferred: tuple[str, ...]
    """Columns that may name rows of the same table, or of a later one: they are filled in last."""

    @property
    def name(self) -> str:
        """Its name in the database."""
        return self.table.name

    @property
    def owner(self) -> str:
        """The name of the plugin that declares it."""
        return str(self.table.metadata.info["plugin"])

    @property
    def is_seeded(self) -> bool:
        """Whether it has rows from the start."""
        return bool(self.table.info.get(REPLACED_KEY))

    @property
    def key(self) -> Sequence[Column[Any]]:
        """The columns that its rows are ordered and found by."""
        return list(self.table.primary_key.columns)

    @property
    def columns(self) -> list[Column[Any]]:
        """The columns that travel."""
        return [self.table.c[name] for name in self.codecs]

    def dump(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """A row as a JSON object."""
        return {
            name: None if row[name] is None else codec.dump(row[name])
            for name, codec in self.codecs.items()
        }

    def load(self, sent: Mapping[str, Any]) -> dict[str, Any]:
        """The values of a row, from a JSON object.

        :raises Invalid: where it hasn't exactly the columns that travel, or a value isn't of its
            column's type.
        """
        if sent.keys() != self.codecs.keys():
            wrong = ", ".join(sorted(sent.keys() ^ self.codecs.keys()))
            raise Invalid(f"there is too much or something missing: {wrong}")
        return {name: self._value(name, value) for name, value in sent.items()}

    def _value(self, name: str, value: Any) -> Any:
        if value is None:
            return None
        try:
            return self.codecs[name].load(value)
        except (ValueError, TypeError, ArithmeticError) as error:
            raise Invalid(f"{name}: {error}") from None

    @property
    def insert(self) -> Insert:
        """Writes a row, late columns left null; takes what :meth:`insert_values` returns."""
        early = [name for name in self.codecs if name not in self.deferred]
        given = {name: bindparam(name, type_=_type(self.table.c[name])) for name in early}
        return insert(self.table).values({**given, **self.import_defaults})

    def insert_values(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """What ``insert`` takes for a row."""
        return {name: value for name, value in row.items() if name not in self.deferred}

    @property
    def update(self) -> Update:
        """Fills in the late columns of a row; takes what :meth:`deferred_values` returns."""
        found = [column == bindparam(f"{_KEY}{column.name}") for column in self.key]
        return (
            update(self.table)
            .where(*found)
            .values({name: bindparam(name) for name in self.deferred})
        )

    def deferred_values(self, row: Mapping[str, Any]) -> dict[str, Any] | None:
        """What ``update`` takes for a row; None where there is nothing to fill in."""
        late = {name: row[name] for name in self.deferred}
        if all(value is None for value in late.values()):
            return None
        return late | {f"{_KEY}{column.name}": row[column.name] for column in self.key}


def exportable_tables(instance: Instance) -> list[ExportableTable]:
    """The tables of all enabled plugins that travel, each after those that it refers to.

    :raises StartError: for a column whose type can't travel.
    """
    metadata = [plugin.metadata for plugin in instance.plugins if plugin.metadata is not None]
    declared = [table for each in metadata for table in each.tables.values()]
    # Knows what to do where tables refer to each other in a circle.
    sort: Any = sort_tables_and_constraints
    ordered = [table for table, _ in sort(declared) if table is not None]
    places = {table: place for place, table in enumerate(ordered)}
    return [
        _exportable_table(table, places)
        for table in ordered
        if not table.info.get(NOT_EXPORTED_KEY)
    ]


def filled(session: Session, tables: Iterable[Table]) -> list[str]:
    """The names of those of the tables that have rows, sorted."""
    rows = {table.name: exists().select_from(table) for table in tables}
    found = session.execute(select(*(rows[name].label(name) for name in rows))).mappings().one()
    return sorted(name for name in rows if found[name])


def _exportable_table(table: Table, places: Mapping[Table, int]) -> ExportableTable:
    here = places[table]
    return ExportableTable(
        table,
        codecs={c.name: codec_of(c) for c in table.columns if IMPORT_DEFAULT not in c.info},
        import_defaults={
            c.name: c.info[IMPORT_DEFAULT] for c in table.columns if IMPORT_DEFAULT in c.info
        },
        deferred=tuple(
            c.name
            for c in table.columns
            if c.nullable and any(places[key.column.table] >= here for key in c.foreign_keys)
        ),
    )


def _type(column: Column[Any]) -> Any:
    # Else None would be stored as JSON's null, which SQL doesn't take for nothing.
    if isinstance(column.type, JSON) and column.nullable:
        return type(column.type)(none_as_null=True)
    return column.type
