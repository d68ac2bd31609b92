"""Reading a table row by row, from a text file or a workbook; its header decides on columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import IO, NamedTuple

from masthead.csv.columns import (
    CsvColumn,
    Source,
    find_columns,
    header_key,
    joined_text,
    refuse_repeated,
)
from masthead.csv.formulas import unescape
from masthead.csv.rows import Header, Ignored, data_rows, find_header, is_blank
from masthead.csv.text import DELIMITERS, TextTable
from masthead.csv.workbook import is_workbook, read_workbook
from masthead.db import fold
from masthead.errors import Invalid, ProblemCode, wrong_field

MAX_COLUMNS = 1_000
REFUSED = "error"
"""The name of the first column of a file of refused rows, which has the reasons."""
_HEAD = 50
_VALUE_SEPARATOR = " ::: "
"""Google's separator of several values in a cell."""

Rows = Iterator[tuple[int, list[str]]]


class MissingColumn(Invalid):
    """No row of a table has the required columns."""

    def __init__(self, message: str, header: Sequence[str]) -> None:
        super().__init__(message)
        self.header = list(header)
        """The first row that isn't blank."""


class UsedColumn(NamedTuple):
    """A column of a file, and the column of the import that it is."""

    column: str
    """Its name in the header."""
    field: str
    """The name of the column that it was found as."""


class CsvRow(NamedTuple):
    """A row that isn't blank."""

    line: int
    """The line where it starts, or the number of a workbook's row, counted from 1."""
    values: dict[str, str]
    """The untrimmed texts by the names of the columns that the file has, without the apostrophes
    that ``write_csv`` puts before formulas; empty after an error."""
    error: str | None
    """The reason why its cells can't be assigned to columns."""
    cells: Sequence[str] = ()
    """The texts of all its cells, in the order of the header."""


class CsvReader:
    """The rows of a table, without notes above it, totals below it and repeated headers.

    :param file: a seekable file: text with delimiters, which is read in chunks, or a workbook.
    :param columns: the columns to find; others are ignored.
    :param charset: the file's encoding, where the client states it.
    :param mapping: the names of columns in the file, each with the name of the column that it is,
        or None for a column to ignore. They take precedence over known names.
    :param sheet: the name of a workbook's sheet; the first one by default.
    :param plain: whether all rows below the header belong to the table.
    :raises Invalid: for a file that is empty or no table, lacks a required column or one of
        ``mapping``, or has one of the columns twice. Errors further down are raised while the rows
        are read, so commit nothing before the last row.
    """

    def __init__(
        self,
        file: IO[bytes],
        columns: Sequence[CsvColumn],
        charset: str | None = None,
        *,
        mapping: Mapping[str, str | None] | None = None,
        sheet: str | None = None,
        plain: bool = False,
    ) -> None:
        self._columns = columns
        self._plain = plain
        self._mapping = {fold(name).strip(): field for name, field in (mapping or {}).items()}
        self.encoding = self.delimiter = ""
        rows, header = self._open(file, charset, sheet)
        without = self._find(header.cells[1:]) if header.cells[0] == REFUSED else None
        self._has_reasons = without is not None
        self.header = header.cells[self._has_reasons :]
        """The names of the columns, without the reasons in a file of refused rows."""
        self._found = without or header.found
        self._refuse_repeated()
        self.ignored_rows = Ignored()
        """The rows so far that are no part of the table."""
        self._rows = self._data(rows, header)
        assigned = {
            at: name for name, found in self._found.items() for s in found for at in s.cells
        }
        self.columns = [
            UsedColumn(self.header[at].strip(), name) for at, name in sorted(assigned.items())
        ]
        """The columns of the file that are used, in their order."""
        self._unknown = [at for at in range(len(self.header)) if at not in assigned]
        self._unnamed = {at for at in self._unknown if not self.header[at].strip()}

    @property
    def ignored(self) -> list[str]:
        """The names of the columns that belong to no field, such as ``column 4`` without a name.

        A column without a name is listed once one of the rows that were read has a text in it.
        """
        return [
            self.header[at].strip() or f"column {at + 1}"
            for at in self._unknown
            if at not in self._unnamed
        ]

    def __iter__(self) -> Iterator[CsvRow]:
        """Yield the rows.

        :raises Invalid: where the file isn't a table.
        """
        width = len(self.header)
        simple = [(name, at[0].cells[0]) for name, at in self._found.items() if _is_simple(at)]
        others = [(name, at) for name, at in self._found.items() if not _is_simple(at)]
        used = [column for column in self._columns if column.name in self._found]
        first_only = [column.name for column in used if column.first_only]
        amended = [column.amend for column in used if column.amend]
        for line, cells in self._rows:
            if len(cells) < width:
                cells.extend([""] * (width - len(cells)))
            elif len(cells) > width and not is_blank(cells[width:]):
                error = f"Has {len(cells)} cells where the header has {width}"
                yield CsvRow(line, {}, error, cells)
                continue
            if self._unnamed:
                self._unnamed = {at for at in self._unnamed if not cells[at].strip()}
            values = {name: unescape(cells[at]) for name, at in simple}
            for name, sources in others:
                values[name] = unescape(_first_text(cells, sources))
            for name in first_only:
                values[name] = values[name].partition(_VALUE_SEPARATOR)[0]
            for amend in amended:
                amend(values)
            yield CsvRow(line, values, None, cells)

    def _open(self, file: IO[bytes], charset: str | None, sheet: str | None) -> tuple[Rows, Header]:
        if is_workbook(file):
            rows = read_workbook(file, sheet)
            head = list(islice(rows, _HEAD))
            header = find_header((cells for _line, cells in head), self._find)
            if header is None:
                raise self._no_header([cells for _line, cells in head])
            return chain(head, rows), header
        if sheet:
            raise wrong_field("sheet", ProblemCode.NOT_ALLOWED, "The file is no workbook")
        table = TextTable(file, charset)
        self.encoding = table.encoding
        heads = table.heads()
        headers = {each: find_header(head, self._find) for each, head in heads.items()}
        found = {each: header for each, header in headers.items() if header}
        if not found:
            raise self._no_header(max(heads.values(), key=lambda head: len(_first_row(head))))
        self.delimiter = max(found, key=lambda d: (len(found[d].found), -_unsplit(found[d])))
        return table.rows(self.delimiter), found[self.delimiter]

    def _find(self, header: list[str]) -> dict[str, list[Source]] | None:
        """Return the sources of the columns in a header; None if a required one is missing."""
        if len(header) > MAX_COLUMNS:
            raise Invalid(f"The file has more than {MAX_COLUMNS} columns")
        mapped = [fold(cell).strip() for cell in header] if self._mapping else []
        if not self._mapping.keys() <= set(mapped):
            return None
        manual = {
            at: self._mapping[name] for at, name in enumerate(mapped) if name in self._mapping
        }
        others = ["" if at in manual else cell for at, cell in enumerate(header)]
        found = find_columns(self._columns, others)
        for column in self._columns:
            places = [at for at, field in manual.items() if field == column.name]
            if places and column.joined:
                found[column.name] = [Source(tuple(places))]
            elif places:
                found[column.name] = [Source((at,)) for at in places]
        complete = found and all(c.name in found for c in self._columns if c.required)
        return found if complete else None

    def _no_header(self, head: Iterable[Sequence[str]]) -> MissingColumn:
        row = _first_row(head)
        there = ", ".join(cell.strip()[:30] for cell in row[:10])
        names = {fold(cell).strip() for cell in row}
        wanted = [name for name in self._mapping if name not in names] or [
            column.name for column in self._columns if column.required
        ]
        message = f"There is no column {', '.join(wanted)}; the first row is: {there}"
        return MissingColumn(message, row)

    def _refuse_repeated(self) -> None:
        keys = {at: header_key(cell) for at, cell in enumerate(self.header)}
        mapped = {at for at, cell in enumerate(self.header) if fold(cell).strip() in self._mapping}
        known = [at for at in keys if at in mapped or any(c.knows(keys[at]) for c in self._columns)]
        refuse_repeated(self.header, known)

    def _data(self, rows: Rows, header: Header) -> Rows:
        """Yield the rows below the header, without the reasons in a file of refused rows."""
        for line, cells in rows:
            if cells == header.cells:
                break
            if not is_blank(cells):
                self.ignored_rows.add(line, cells)
        found = (
            ((line, cells) for line, cells in rows if not is_blank(cells))
            if self._plain
            else data_rows(rows, header.cells, self.ignored_rows)
        )
        return ((line, cells[1:]) for line, cells in found) if self._has_reasons else found


def _first_row(head: Iterable[Sequence[str]]) -> Sequence[str]:
    """Return the first row that isn't blank, or else an empty one."""
    return next((row for row in head if not is_blank(row)), [])


def _unsplit(header: Header) -> int:
    """Return the number of cells that another delimiter would split."""
    return sum(any(delimiter in cell for delimiter in DELIMITERS) for cell in header.cells)


def _is_simple(sources: Sequence[Source]) -> bool:
    return len(sources) == 1 and len(sources[0].cells) == 1


def _first_text(cells: Sequence[str], sources: Sequence[Source]) -> str:
    return next(filter(None, (joined_text(cells, source) for source in sources)), "")
