"""The tables of a kit: as the steps add them up, and as the models of a plugin use them."""

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
        """The tables with what the steps up to a number bring, by what their names end in."""
        position = self.model.c.get("position")
        return shape(self.name, self.kit, number, None if position is None else position.type)


def kit_tables(plugin: Plugin) -> list[KitTable]:
    """The tables of items that a plugin's models make of the kit, by name."""
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
    """Return a table of items and the tables of its links, by what their names end in.

    :param number: that of the last step that counts.
    :param position: the type of the position.
    :param own: columns and constraints that the plugin adds; one that is named as a column of the
        kit replaces it.
    :param last: columns that it adds behind those of the kit.
    :raises StartError: where the kit needs a position and none is given.
    """
    columns, indexes = _added_up(kit, number)
    metadata = plugin_metadata(name.partition("_")[0])
    tables = {}
    for suffix, named in columns.items():
        here = [*own, *last] if suffix == ITEMS else []
        replaced = {item.name for item in here if isinstance(item, Column)}
        kept = [column for column in named.values() if column.name not in replaced]
        items: list[SchemaItem] = [
            *(column.make(name, position) for column in kept if column.leads),
            *(own if suffix == ITEMS else ()),
            *(column.make(name, position) for column in kept if not column.leads),
            *(last if suffix == ITEMS else ()),
        ]
        # SQLite would give the id of a deleted item again.
        numbered = suffix == ITEMS and kit != steps.NAMED
        tables[suffix] = Table(f"{name}{suffix}", metadata, *items, sqlite_autoincrement=numbered)
        for index in indexes[suffix]:
            index.add_to(tables[suffix])
    for table in tables.values():
        _stand_in_for_others(table)
    return tables


def _added_up(
    kit: str, number: int
) -> tuple[Mapping[str, Mapping[str, KitColumn]], Mapping[str, Sequence[KitIndex]]]:
    columns: dict[str, dict[str, KitColumn]] = {}
    indexes: dict[str, list[KitIndex]] = {}
    for step in steps.STEPS[:number]:
        for suffix, part in steps.parts_of(kit, step):
            columns.setdefault(suffix, {}).update((c.name, c) for c in part.columns)
            indexes.setdefault(suffix, []).extend(part.indexes)
    return columns, indexes


def _stand_in_for_others(table: Table) -> None:
    """Let references lead somewhere, to tables of which nothing else is known here."""
    metadata: MetaData = table.metadata
    for key in table.foreign_keys:
        target, _, column = key.target_fullname.rpartition(".")
        known = metadata.tables.get(target)
        if known is None:
            Table(target, metadata, Column(column))
        elif column not in known.c:
            known.append_column(Column(column))


def names_of(table: Table) -> frozenset[str]:
    """The names of a table's indexes and constraints."""
    indexes = {str(index.name) for index in table.indexes}
    return frozenset(indexes | {str(constraint.name) for constraint in table.constraints})
