"""The declaration of kit steps: columns, indexes and link tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any

from sqlalchemy import Column, ForeignKey, Index, Table, text
from sqlalchemy.types import TypeEngine

from masthead.errors import StartError

ITEMS = ""
"""The suffix of a table of items, which is empty: its name is the one that the plugin gives it."""


@dataclass(frozen=True)
class KitColumn:
    """A column that a step adds."""

    name: str
    type: TypeEngine[Any] | None
    """None for the position, whose type is that of the field that orders the content type."""
    nullable: bool = True
    server_default: str | None = None
    """The value of rows that are inserted without one, as text."""
    references: str = ""
    """The target of the foreign key as ``table.column``; ``{items}`` is the table of items."""
    ondelete: str | None = None
    primary_key: bool = False
    unique: bool = False
    comes_first: bool = False
    """Whether the column comes before the plugin's own columns."""

    def make(self, items: str, position: TypeEngine[Any] | None) -> Column[Any]:
        """Return a new column.

        :param items: the name of the table of items.
        :param position: the type of the position.
        :raises StartError: if the type of the position is needed and not given.
        """
        if self.type is None and position is None:
            raise StartError(f"{items} needs the type of its position")
        keys = [ForeignKey(self.references.format(items=items), ondelete=self.ondelete)]
        return Column(
            self.name,
            self.type or position,
            *(keys if self.references else ()),
            nullable=self.nullable,
            server_default=self.server_default,
            primary_key=self.primary_key,
            unique=self.unique or None,
        )


@dataclass(frozen=True)
class KitIndex:
    """An index that a step adds, named ``ix_<table>_<name>``."""

    name: str
    columns: tuple[str, ...]
    where: Mapping[str, str] = dataclass_field(default_factory=dict)
    """The condition of a partial index in SQL, by the name of the database."""

    def add_to(self, table: Table) -> None:
        """Declare the index on a table."""
        conditions: dict[str, Any] = {
            f"{dialect}_where": text(where) for dialect, where in self.where.items()
        }
        Index(f"ix_{table.name}_{self.name}", *(table.c[c] for c in self.columns), **conditions)


@dataclass(frozen=True)
class KitPart:
    """The additions of a step to one table; the step creates the table if no earlier step has."""

    columns: tuple[KitColumn, ...] = ()
    indexes: tuple[KitIndex, ...] = ()
    replaced_indexes: tuple[str, ...] = ()
    """The names of indexes of earlier steps that the new ones replace, and that are dropped."""


@dataclass(frozen=True)
class KitStep:
    """The additions of one release to the tables that use a mixin.

    A step never changes once it is released.
    """

    number: int
    parts: Mapping[str, Mapping[str, KitPart]]
    """The additions by the name of the mixin's kit, then by the suffix of the table's name: empty
    for the table of items, ``_tag`` for its links to tags."""


def validated(*steps: KitStep) -> tuple[KitStep, ...]:
    """Return steps after checking that each only adds to the tables of the steps before it.

    An older release has to be able to write to the tables, and a step must not rebuild a table. As
    PostgreSQL builds indexes outside of a transaction, a step with indexes of existing tables has
    nothing else, so that it can be repeated after an interruption.

    :raises StartError: if a step does more than that, or its number isn't its position.
    """
    added_to = set[tuple[str, str]]()
    for position, step in enumerate(steps, 1):
        if step.number != position:
            raise StartError(f"kit {step.number} is declared as step {position}")
        tables = [
            (kit, suffix, part)
            for kit, parts in step.parts.items()
            for suffix, part in parts.items()
        ]
        for kit, suffix, part in tables:
            wrong = [
                c.name for c in part.columns if (kit, suffix) in added_to and not _is_additive(c)
            ]
            if wrong:
                raise StartError(
                    f"kit {position}: {kit}{suffix} can't get the columns {', '.join(wrong)}: a new"
                    " column must be nullable or have a server default, and must not be a key"
                )
        if any((kit, suffix) in added_to and part.indexes for kit, suffix, part in tables) and any(
            part.columns for _, _, part in tables
        ):
            raise StartError(f"kit {position}: the indexes of existing tables need their own step")
        added_to.update((kit, suffix) for kit, suffix, _ in tables)
    return steps


def _is_additive(column: KitColumn) -> bool:
    """Whether the column can be added to a table with rows and without a value for each row."""
    if column.primary_key or column.unique:
        return False
    if column.references:
        # SQLite can't add any other foreign key.
        return column.nullable and column.server_default is None
    return column.nullable or column.server_default is not None
