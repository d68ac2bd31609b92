"""The tables of a kit: as the steps define them, and as the models of a plugin use them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import Column, MetaData, Table
from sqlalchemy.schema import SchemaItem
from sqlalchemy.types import TypeEngine

from masthead.db.kit import steps
from masthead.db.kit.declaration import ITEMS, KitColumn, KitIndex
from masthead.db.metadata import plugin_metadata

if TYPE_CHECKING:
    from masthead.plugins import Plugin


@dataclass(frozen=True)
class KitTable:
    """A table of items whose model uses a mixin of the kit."""

    name: str
    kit: str
    model: Table
    """The table as the model declares it, with its own columns."""

    def shape(self, number: int) -> dict[str, Table]:
        """Return the tables that the steps up to a number define, by the suffix of their names."""
        position = self.model.c.get("position")
        return shape(self.name, self.kit, number, None if position is None else position.type)


def kit_tables(plugin: Plugin) -> list[KitTable]:
    """Return the tables of items whose models use the kit, sorted by name."""
    if plugin.base is None:
        return []
    found = {}
    for mapper in plugin.base.registry.mappers:
        kit = getattr(mapper.class_, "__kit__", None)
        if kit is not None and mapper.inherits is None and isinstance(mapper.local_table, Table):
            found[mapper.local_table.name] = KitTable(
                mapper.local_table.name, kit, mapper.local_table
            )
    return [found[name] for name in sorted(found)]


def shape(
    name: str,
    kit: str,
    number: int,
    position: TypeEngine[Any] | None,
    own: Sequence[SchemaItem] = (),
    last: Sequence[Column[Any]] = (),
) -> dict[str, Table]:
    """Return a table of items and its link tables, by the suffix of their names.

    :param number: the number of the last step to include.
    :param position: the type of the position.
    :param own: the plugin's columns and constraints; a column with the name of a kit column
        replaces it.
    :param last: the plugin's columns after those of the kit.
    :raises StartError: if the kit needs the type of the position and none is given.
    """
    columns, indexes = _accumulated(kit, number)
    metadata = plugin_metadata(name.partition("_")[0])
    tables = {}
    for suffix, named in columns.items():
        here = [*own, *last] if suffix == ITEMS else []
        replaced = {item.name for item in here if isinstance(item, Column)}
        kept = [column for column in named.values() if column.name not in replaced]
        items: list[SchemaItem] = [
            *(column.make(name, position) for column in kept if column.comes_first),
            *(own if suffix == ITEMS else ()),
            *(column.make(name, position) for column in kept if not column.comes_first),
            *(last if suffix == ITEMS else ()),
        ]
        # Otherwise SQLite reuses the id of a deleted item.
        numbered = suffix == ITEMS and kit != steps.NAMED
        tables[suffix] = Table(f"{name}{suffix}", metadata, *items, sqlite_autoincrement=numbered)
        for index in indexes[suffix]:
            index.add_to(tables[suffix])
    for table in tables.values():
        _add_referenced_tables(table)
    return tables


def _accumulated(
    kit: str, number: int
) -> tuple[Mapping[str, Mapping[str, KitColumn]], Mapping[str, Sequence[KitIndex]]]:
    columns: dict[str, dict[str, KitColumn]] = {}
    indexes: dict[str, list[KitIndex]] = {}
    for step in steps.STEPS[:number]:
        for suffix, part in steps.parts_of(kit, step):
            columns.setdefault(suffix, {}).update((c.name, c) for c in part.columns)
            kept = [i for i in indexes.get(suffix, ()) if i.name not in part.replaced_indexes]
            indexes[suffix] = [*kept, *part.indexes]
    return columns, indexes


def _add_referenced_tables(table: Table) -> None:
    """Add the tables and columns to which foreign keys refer, so that SQLAlchemy resolves them."""
    metadata: MetaData = table.metadata
    for key in table.foreign_keys:
        target, _, column = key.target_fullname.rpartition(".")
        known = metadata.tables.get(target)
        if known is None:
            Table(target, metadata, Column(column))
        elif column not in known.c:
            known.append_column(Column(column))


def names_of(table: Table) -> frozenset[str]:
    """Return the names of a table's indexes and constraints."""
    indexes = {str(index.name) for index in table.indexes}
    return frozenset(indexes | {str(constraint.name) for constraint in table.constraints})
