"""Finding columns by the names in a header."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from masthead.db import fold
from masthead.errors import Invalid

Source = tuple[int, ...]
"""The positions of the cells whose texts, joined by spaces, make a value."""


@dataclass(frozen=True)
class CsvColumn:
    """A column to find in a file: its name, and the names that other tools give it.

    Where a file has several of these columns, the first that isn't blank in a row counts: the name,
    then the aliases in their order, then the joined columns.
    """

    name: str
    aliases: tuple[str, ...] = ()
    joined: tuple[tuple[str, ...], ...] = ()
    """Columns that make the value together, such as first, middle and last name. A file has to have
    the first and the last column of a tuple."""
    required: bool = False
    """Whether a file without it is refused."""
    first_only: bool = False
    """Whether only the first of several values in a cell counts; Google joins them by `` ::: ``."""

    @cached_property
    def folded(self) -> tuple[str, ...]:
        """The name and the aliases as they are compared."""
        return tuple(fold(name) for name in (self.name, *self.aliases))

    @cached_property
    def folded_joined(self) -> tuple[tuple[str, ...], ...]:
        """The names of what is joined as they are compared."""
        return tuple(tuple(fold(name) for name in names) for names in self.joined)

    def knows(self, folded: str) -> bool:
        """Whether a folded name is one that is looked for."""
        return folded in self.folded or any(folded in names for names in self.folded_joined)


def find_columns(columns: Sequence[CsvColumn], header: Sequence[str]) -> dict[str, list[Source]]:
    """Return the sources of each column that the header has, by the column's name.

    :raises Invalid: where the header has one of the names twice.
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
