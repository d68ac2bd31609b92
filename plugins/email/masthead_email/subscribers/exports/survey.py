"""Reading the header of a file, and the values of its columns, before its import."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO

from masthead import CsvColumn, CsvReader, UsedColumn

MAX_VALUES = 50
"""The number of different values up to which they are kept."""
_MAX_LENGTH = 100


@dataclass(frozen=True)
class SurveyedColumn:
    """A column of a file."""

    name: str
    """Its name in the header, trimmed; ``column 4`` without one."""
    values: frozenset[str]
    """Its first 50 different values that aren't blank, trimmed and at most 100 characters long."""
    many: bool
    """Whether it has more values."""


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
    growing = dict(enumerate(found))
    for row in reader:
        cells, full = row.cells, []
        for at, values in growing.items():
            if at < len(cells):
                values.add(cells[at][:_MAX_LENGTH])
                if len(values) > MAX_VALUES + 1:
                    full.append(at)
        for at in full:
            del growing[at]
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
