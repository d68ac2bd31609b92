"""What a step of the kit is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any

from sqlalchemy import Column, ForeignKey, Index, Table, text
from sqlalchemy.types import TypeEngine

from masthead.errors import StartError

ITEMS = ""
"""What the name of a table of items ends in, after the name that the plugin gives it."""


@dataclass(frozen=True)
class KitColumn:
    """A column that a step adds."""

    name: str
    type: TypeEngine[Any] | None
    """None is the type of the position, which depends on what a content type is ordered by."""
    nullable: bool = True
    server_default: str | None = None
    """The value of rows that are made without one, as text."""
    references: str = ""
    """``table.column`` of what its values name; ``{items}`` is the table of items."""
    ondelete: str | None = None
    primary_key: bool = False
    unique: bool = False
    leads: bool = False
    """Whether it stands before the plugin's own columns."""

    def make(self, items: str, position: TypeEngine[Any] | None) -> Column[Any]:
        """Return a new column.

        :param items: the name of the table of items.
        :param position: the type of the position.
        :raises StartError: where the type of the position is needed and not given.
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
    """An index that a step adds, called ``ix_<table>_<name>``."""

    name: str
    columns: tuple[str, ...]
    where: Mapping[str, str] = dataclass_field(default_factory=dict)
    """The condition of a partial index, in the words of each database by its name."""

    def add_to(self, table: Table) -> None:
        """Declare it on a table."""
        conditions: dict[str, Any] = {
            f"{dialect}_where": text(where) for dialect, where in self.where.items()
        }
        Index(f"ix_{table.name}_{self.name}", *(table.c[c] for c in self.columns), **conditions)


@dataclass(frozen=True)
class KitPart:
    """What a step adds to one table, which is made where no earlier step has it."""

    columns: tuple[KitColumn, ...] = ()
    indexes: tuple[KitIndex, ...] = ()


@dataclass(frozen=True)
class KitStep:
    """What one release adds to the tables that use a mixin.

    A step never changes once it is released.
    """

    number: int
    parts: Mapping[str, Mapping[str, KitPart]]
    """What it adds, by the name of the mixin's kit, then by what the name of the table ends in:
    nothing for the table of items, ``_tag`` for its links to tags."""


def in_order(*steps: KitStep) -> tuple[KitStep, ...]:
    """Return steps, once it is sure that each only adds to what the ones before it have made.

    What an older release writes has to stay valid, and a table has to take a step as it is.

    :raises StartError: for a step that does more, or has another number than its place.
    """
    made = set[tuple[str, str]]()
    for place, step in enumerate(steps, 1):
        if step.number != place:
            raise StartError(f"kit {step.number} is declared as the step {place}")
        tables = [
            (kit, end, part) for kit, parts in step.parts.items() for end, part in parts.items()
        ]
        for kit, end, part in tables:
            wrong = [c.name for c in part.columns if (kit, end) in made and not _is_additive(c)]
            if wrong:
                raise StartError(
                    f"kit {place}: {kit}{end} can't be given {', '.join(wrong)}, which has to be"
                    " nullable or to have a server default, and can be no key"
                )
        made.update((kit, end) for kit, end, _ in tables)
    return steps


def _is_additive(column: KitColumn) -> bool:
    """Whether a table with rows can get it, and go on without a value for it."""
    if column.primary_key or column.unique:
        return False
    if column.references:
        # SQLite adds no other reference.
        return column.nullable and column.server_default is None
    return column.nullable or column.server_default is not None
