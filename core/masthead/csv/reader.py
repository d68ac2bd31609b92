"""Reading a CSV file row by row; its header decides on delimiter and columns."""

from __future__ import annotations

import codecs
import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import IO, NamedTuple

from masthead.csv.columns import CsvColumn, Source, find_columns
from masthead.csv.encoding import find_encoding
from masthead.csv.formulas import unescape
from masthead.errors import Invalid

DELIMITERS = (",", ";", "\t")
MAX_COLUMNS = 1_000
MAX_LINE = 1024 * 1024
"""The maximum number of characters in a line."""
_HEAD = 50
"""The number of lines within which the header has to end."""
_CHUNK = 64 * 1024
_VALUE_SEPARATOR = " ::: "
"""Google's separator of several values in a cell."""
# A CR at the end may be half of a CRLF.
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)")
_SEPARATOR = re.compile(r'"?sep=([^\s"\w])"?[\r\n]*|sep=(\t)[\r\n]*', re.IGNORECASE)


class UsedColumn(NamedTuple):
    """A column of a file, and the column of the import that it is."""

    column: str
    """Its name in the header."""
    field: str
    """The name of the column that it was found as."""


class CsvRow(NamedTuple):
    """A row that isn't blank."""

    line: int
    """The line where it starts, counted from 1."""
    values: dict[str, str]
    """The untrimmed texts by the names of the columns that the file has, without the apostrophes
    that ``write_csv`` puts before formulas; empty after an error."""
    error: str | None
    """The reason why its cells can't be assigned to columns."""
    cells: Sequence[str] = ()
    """The texts of all its cells, in the order of the header."""


class CsvReader:
    """The rows of a CSV file, which is read in chunks.

    :param file: a seekable file.
    :param columns: the columns to find; others are ignored.
    :param charset: the file's encoding, where the client states it.
    :raises Invalid: for a file that is empty or not text, lacks a required column, or has one of
        the columns twice. Errors further down are raised while the rows are read, so commit nothing
        before the last row.
    """

    def __init__(
        self, file: IO[bytes], columns: Sequence[CsvColumn], charset: str | None = None
    ) -> None:
        self._columns = columns
        self.encoding = find_encoding(file, charset)
        self._file = file
        lines = self._lines()
        head = self._take(lines, _HEAD)
        self._skipped = 0
        separator = _SEPARATOR.fullmatch(head[0]) if head else None
        if separator:
            self._skipped = 1
            head = [*head[1:], *self._take(lines, 1)]
        choices = [separator[1] or separator[2]] if separator else DELIMITERS
        self.delimiter = self._choose_delimiter(head, choices)
        self._rows = csv.reader(chain(head, lines), delimiter=self.delimiter, strict=True)
        header = self._read_row()
        while _is_blank(header or [""]):
            header = self._read_row()
        self.header: list[str] = header or []
        self._found = find_columns(columns, self.header)
        assigned = {at: name for name, found in self._found.items() for s in found for at in s}
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

        :raises Invalid: where the file isn't CSV.
        """
        width = len(self.header)
        simple = [(name, at[0][0]) for name, at in self._found.items() if _is_simple(at)]
        others = [(name, at) for name, at in self._found.items() if not _is_simple(at)]
        first_only = [c.name for c in self._columns if c.first_only and c.name in self._found]
        while True:
            line = self._rows.line_num + self._skipped + 1
            cells = self._read_row()
            if cells is None:
                return
            if _is_blank(cells):
                continue
            if len(cells) != width:
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
            yield CsvRow(line, values, None, cells)

    def _lines(self) -> Iterator[str]:
        """Yield the lines with their ends, of any kind; an end may be part of a cell."""
        decoder = codecs.getincrementaldecoder(self.encoding)()
        rest, number, ended = "", 0, False
        while not ended:
            chunk = self._file.read(_CHUNK)
            ended = not chunk
            text = rest + decoder.decode(chunk, ended)
            if not number:
                # Not every decoder removes a byte order mark, which would hide a quote behind it.
                text = text.lstrip("\ufeff")
            # A line's end may continue in the next chunk. Text behind the last end isn't searched:
            # the pattern would scan it again from each of its characters.
            ends = text if ended else text.removesuffix("\r")
            cut = max(ends.rfind("\n"), ends.rfind("\r")) + 1
            lines, rest = _LINE.findall(text[:cut]), text[cut:]
            if len(rest) > MAX_LINE:
                raise Invalid(f"Line {number + len(lines) + 1} has more than {MAX_LINE} characters")
            number += len(lines)
            yield from lines
        if rest:
            yield rest

    def _take(self, lines: Iterable[str], limit: int) -> list[str]:
        """Return at most ``limit`` of the next lines."""
        try:
            return list(islice(lines, limit))
        except UnicodeError:
            raise self._not_text() from None

    def _choose_delimiter(self, head: Sequence[str], choices: Sequence[str]) -> str:
        """Return the delimiter with which the header has all required and most other columns."""
        if not any(line.strip(" \t\r\n") for line in head):
            raise Invalid("The file is empty")
        headers = {choice: _read_header(head, choice) for choice in choices}
        best, count = "", 0
        for choice, header in headers.items():
            found = self._find_columns(header)
            if all(c.name in found for c in self._columns if c.required) and len(found) > count:
                best, count = choice, len(found)
        if best:
            return best
        header = max(headers.values(), key=len)
        wanted = ", ".join(column.name for column in self._columns if column.required)
        there = ", ".join(cell.strip()[:30] for cell in header[:10])
        raise Invalid(f"There is no column {wanted}; the first row is: {there}")

    def _find_columns(self, header: Sequence[str]) -> dict[str, list[Source]]:
        if len(header) > MAX_COLUMNS:
            raise Invalid(f"The file has more than {MAX_COLUMNS} columns")
        return find_columns(self._columns, header)

    def _read_row(self) -> list[str] | None:
        line = self._rows.line_num + self._skipped + 1
        try:
            return next(self._rows, None)
        except csv.Error as error:
            raise Invalid(f"Line {line}: {_explain(error)}") from None
        except UnicodeError:
            raise self._not_text() from None

    def _not_text(self) -> Invalid:
        return Invalid(f"The file is not written in {self.encoding}")


def _read_header(head: Sequence[str], delimiter: str) -> list[str]:
    """Return the first row that isn't blank, or an empty one where it can't be read."""
    try:
        rows = csv.reader(head, delimiter=delimiter, strict=True)
        return next((row for row in rows if not _is_blank(row)), [])
    except csv.Error:
        return []


def _is_blank(cells: Sequence[str]) -> bool:
    """Whether a row has blank cells only, as spreadsheets leave them at the end."""
    return not any(map(str.strip, cells))


def _is_simple(sources: Sequence[Source]) -> bool:
    return len(sources) == 1 and len(sources[0]) == 1


def _first_text(cells: Sequence[str], sources: Sequence[Source]) -> str:
    for source in sources:
        parts = (cells[at].strip() for at in source)
        if text := " ".join(part for part in parts if part):
            return text
    return ""


def _explain(error: csv.Error) -> str:
    message = str(error)
    if "end of data" in message:
        return "A quote is opened here and never closed"
    if "larger than" in message:
        return f"A cell has more than {csv.field_size_limit()} characters"
    return "A cell goes on after its closing quote"
