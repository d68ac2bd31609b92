"""Which columns are meant by the names in a header."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from masthead.db import fold
from masthead.errors import Invalid

Source = tuple[int, ...]
"""The cells of a row whose texts, joined by blanks, are a value."""


@dataclass(frozen=True)
class CsvColumn:
    """A column that is looked for: by its name, and by what other tools call it.

    Where a file has several of them, the first that isn't blank in a row counts: first the name,
    then the aliases in their order, then what is joined.
    """

    name: str
    aliases: tuple[str, ...] = ()
    joined: tuple[tuple[str, ...], ...] = ()
    """Columns that stand for it together, such as first, middle and last name; of each tuple the
    first and the last have to be there."""
    required: bool = False
    """Whether a file without it is refused."""

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
    """Where the values of columns stand in a row, by the columns' names; absent ones are left out.

    :raises Invalid: where the header has a name twice that is looked for.
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
