"""Reading the header of a file, and the values of its columns, before its import."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, zip_longest
from typing import IO

from masthead import CsvColumn, CsvReader, UsedColumn

MAX_VALUES = 50
"""The number of different values from which on no further ones are read."""
_MAX_LENGTH = 100
_BATCH = 100
"""The number of rows that are compared at once; one cell after the other takes much longer."""


@dataclass(frozen=True)
class SurveyedColumn:
    """A column of a file."""

    name: str
    """Its name in the header, trimmed; ``column 4`` without one."""
    values: frozenset[str]
    """Its values that aren't blank, trimmed and at most 100 characters long, as far as they were
    read before there were too many."""
    many: bool
    """Whether it has more values than were read."""


@dataclass(frozen=True)
class Survey:
    """The columns of a file."""

    columns: tuple[SurveyedColumn, ...]
    used: tuple[UsedColumn, ...]
    """The columns that were looked for, as they were found."""


def survey(file: IO[bytes], columns: Sequence[CsvColumn], charset: str | None) -> Survey:
    """Return the columns of a file and their values.

    :param file: a seekable file.
    :param columns: the columns of persons to look for.
    :raises Invalid: for a file that can't be read as a table.
    """
    reader = CsvReader(file, columns, charset)
    found: list[set[str]] = [set() for _name in reader.header]
    growing = set(range(len(found)))
    rows = iter(reader)
    while batch := [row.cells for row in islice(rows, _BATCH)]:
        for at, cells in enumerate(zip_longest(*batch, fillvalue="")):
            if at in growing:
                found[at].update(cell[:_MAX_LENGTH] for cell in set(cells))
                if len(found[at]) > MAX_VALUES + 1:
                    growing.remove(at)
    return Survey(
        tuple(
            SurveyedColumn(
                name.strip() or f"column {at + 1}",
                frozenset(filter(None, map(str.strip, values))),
                many=at not in growing,
            )
            for at, (name, values) in enumerate(zip(reader.header, found, strict=True))
        ),
        tuple(reader.columns),
    )
