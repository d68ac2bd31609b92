"""The exported tables, their order and their columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    String,
    Table,
    bindparam,
    exists,
    insert,
    select,
    update,
)
from sqlalchemy.orm import Session
from sqlalchemy.schema import sort_tables_and_constraints
from sqlalchemy.sql.dml import Insert, Update

from masthead.db.exportable import IMPORT_DEFAULT, NOT_EXPORTED_KEY, REPLACED_KEY
from masthead.db.types import UTCDateTime
from masthead.errors import Invalid
from masthead.instance import Instance
from masthead.schemas.field_types import FieldType
from masthead.schemas.stored import PlainText, keeps_blank, stored_kind
from masthead.settings import Settings
from masthead.transfer.values import Codec, codec_of

BATCH = 500
"""The number of rows in memory."""
_KEY = "key_"
"""The prefix of the parameters that select a row."""


@dataclass(frozen=True)
class ExportableTable:
    """A table that is exported."""

    table: Table
    codecs: Mapping[str, Codec]
    """The codecs of the exported columns, by name."""
    import_defaults: Mapping[str, Any]
    """The values of the other columns in each imported row."""
    kinds: Mapping[str, FieldType]
    """The field types of the columns that have one, by name; an import checks their values."""
    deferred: tuple[str, ...]
    """The columns that may refer to rows of the same or a later table; they are set last."""

    @property
    def name(self) -> str:
        """The name of the table in the database."""
        return self.table.name

    @property
    def owner(self) -> str:
        """The name of the plugin that declares it."""
        return str(self.table.metadata.info["plugin"])

    @property
    def is_seeded(self) -> bool:
        """Whether a new instance has rows in it."""
        return bool(self.table.info.get(REPLACED_KEY))

    @property
    def key(self) -> Sequence[Column[Any]]:
        """The columns of the primary key."""
        return list(self.table.primary_key.columns)

    @property
    def columns(self) -> list[Column[Any]]:
        """The exported columns."""
        return [self.table.c[name] for name in self.codecs]

    def dump(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """Return a row as a JSON object."""
        return {
            name: None if row[name] is None else codec.dump(row[name])
            for name, codec in self.codecs.items()
        }

    def load(self, sent: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values of a row from a JSON object.

        :raises Invalid: if the object doesn't have exactly the exported columns, or a value doesn't
            have the type of its column.
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

    def clean(self, row: dict[str, Any]) -> list[str]:
        """Clean the values of a row as the API cleans those of clients.

        :returns: the names of the changed columns.
        :raises Invalid: for a value that the API would refuse.
        """
        changed = []
        for name in self.kinds:
            value = row[name]
            row[name] = self._cleaned(name, value)
            if row[name] != value:
                changed.append(name)
        return changed

    def read(self, name: str, sent: Any) -> Any:
        """Return a value of a column from JSON, cleaned as the API cleans those of clients.

        :raises Invalid: for a value that the column can't have, or that the API would refuse.
        """
        if sent is None and not self.table.c[name].nullable:
            raise Invalid(f"{name}: Required")
        return self._cleaned(name, self._value(name, sent))

    def _cleaned(self, name: str, value: Any) -> Any:
        kind = self.kinds.get(name)
        if kind is None or value is None or (value == "" and keeps_blank(kind)):
            return value
        try:
            sent = value if isinstance(self.table.c[name].type, JSON) else kind.dump(value)
            return kind.parse(sent)
        except (ValueError, ArithmeticError) as error:
            raise Invalid(f"{name}: {error}") from None

    @property
    def insert(self) -> Insert:
        """The statement that inserts a row with null in deferred columns; see insert_values()."""
        early = [name for name in self.codecs if name not in self.deferred]
        given = {name: bindparam(name, type_=_type(self.table.c[name])) for name in early}
        return insert(self.table).values({**given, **self.import_defaults})

    def insert_values(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """Return the parameters of ``insert`` for a row."""
        return {name: value for name, value in row.items() if name not in self.deferred}

    @property
    def update(self) -> Update:
        """The statement that sets the deferred columns of a row; see deferred_values()."""
        found = [column == bindparam(f"{_KEY}{column.name}") for column in self.key]
        return (
            update(self.table)
            .where(*found)
            .values({name: bindparam(name) for name in self.deferred})
        )

    def deferred_values(self, row: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the parameters of ``update`` for a row; None if there is nothing to set."""
        late = {name: row[name] for name in self.deferred}
        if all(value is None for value in late.values()):
            return None
        return late | {f"{_KEY}{column.name}": row[column.name] for column in self.key}


def exportable_tables(instance: Instance) -> list[ExportableTable]:
    """Return the exported tables of all enabled plugins, each after those that it refers to.

    :raises StartError: for a column whose type can't be exported.
    """
    metadata = [plugin.metadata for plugin in instance.plugins if plugin.metadata is not None]
    declared = [table for each in metadata for table in each.tables.values()]
    # Also sorts tables that refer to each other in a cycle.
    sort: Any = sort_tables_and_constraints
    ordered = [table for table, _ in sort(declared) if table is not None]
    places = {table: place for place, table in enumerate(ordered)}
    return [
        exportable_table(table, instance.settings, places)
        for table in ordered
        if not table.info.get(NOT_EXPORTED_KEY)
    ]


def filled(session: Session, tables: Iterable[Table]) -> list[str]:
    """Return the names of the tables that have rows, sorted."""
    rows = {table.name: exists().select_from(table) for table in tables}
    found = session.execute(select(*(rows[name].label(name) for name in rows))).mappings().one()
    return sorted(name for name in rows if found[name])


def exportable_table(
    table: Table, settings: Settings, places: Mapping[Table, int] | None = None
) -> ExportableTable:
    """Return the form in which the rows of a table leave the database.

    :param places: the places of all tables in the order of an import; without them, no column is
        deferred.
    :raises StartError: for a column whose type can't be exported.
    """
    kinds = {c.name: _kind(c) for c in table.columns if IMPORT_DEFAULT not in c.info}
    return ExportableTable(
        table,
        codecs={c.name: codec_of(c) for c in table.columns if IMPORT_DEFAULT not in c.info},
        import_defaults={
            c.name: c.info[IMPORT_DEFAULT] for c in table.columns if IMPORT_DEFAULT in c.info
        },
        kinds={name: kind.bound(settings) for name, kind in kinds.items() if kind is not None},
        deferred=tuple(
            c.name
            for c in table.columns
            if places is not None
            and c.nullable
            and any(places[key.column.table] >= places[table] for key in c.foreign_keys)
        ),
    )


def _kind(column: Column[Any]) -> FieldType | None:
    """Return the field type by which values are checked; the codec checks times and truths."""
    if isinstance(column.type, UTCDateTime | Boolean):
        return None
    return stored_kind(column) or (PlainText() if isinstance(column.type, String) else None)


def _type(column: Column[Any]) -> Any:
    # Otherwise None would be stored as JSON null instead of SQL NULL.
    if isinstance(column.type, JSON) and column.nullable:
        return type(column.type)(none_as_null=True)
    return column.type
