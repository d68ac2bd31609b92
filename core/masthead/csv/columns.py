"""Find the columns of a CSV file by the names in its header."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from masthead.db import fold
from masthead.errors import Invalid

Source = tuple[int, ...]
"""The positions of the cells that, joined by spaces, form a value."""


@dataclass(frozen=True)
class CsvColumn:
    """A column to find in a file: its name, and the names that other tools give it.

    If a file has several of these columns, the first one that isn't blank in a row is used: the
    name, then the aliases in their order, then the joined columns.
    """

    name: str
    aliases: tuple[str, ...] = ()
    joined: tuple[tuple[str, ...], ...] = ()
    """Columns that form the value together, such as first, middle and last name. A file must have
    the first and the last column of a tuple."""
    required: bool = False
    """Whether a file without the column is refused."""
    first_only: bool = False
    """Whether only the first of several values in a cell is used; Google joins them with `` ::: ``.
    """

    @cached_property
    def folded(self) -> tuple[str, ...]:
        """The folded name and aliases."""
        return tuple(fold(name) for name in (self.name, *self.aliases))

    @cached_property
    def folded_joined(self) -> tuple[tuple[str, ...], ...]:
        """The folded names of the joined columns."""
        return tuple(tuple(fold(name) for name in names) for names in self.joined)

    def knows(self, folded: str) -> bool:
        """Whether a folded name is the name, an alias or a joined column."""
        return folded in self.folded or any(folded in names for names in self.folded_joined)


def find_columns(columns: Sequence[CsvColumn], header: Sequence[str]) -> dict[str, list[Source]]:
    """Return the sources of each column in the header, by the column's name.

    :raises Invalid: if the header has one of the names twice.
    """
    names = [fold(cell).strip() for cell in header]
    places = {name: at for at, name in reversed(list(enumerate(names)))}
    _refuse_repeated(columns, names, header)
    found = {}
    for column in columns:
        sources: list[Source] = [(places[name],) for name in column.folded if name in places]
        for parts in column.folded_joined:
            if parts[0] in places and parts[-1] in places:
                sources.append(tuple(places[part] for part in parts if part in places))
        if sources:
            found[column.name] = sources
    return found


def _refuse_repeated(
    columns: Sequence[CsvColumn], names: Sequence[str], header: Sequence[str]
) -> None:
    for name, times in Counter(names).items():
        if times > 1 and any(column.knows(name) for column in columns):
            raise Invalid(f"The column {header[names.index(name)].strip()[:50]} is there twice")
