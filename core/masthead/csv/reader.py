"""Reading a CSV file: its header chooses delimiter and columns, then row follows row."""

from __future__ import annotations

import codecs
import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import IO, NamedTuple

from masthead.csv.columns import CsvColumn, Source, find_columns
from masthead.csv.encoding import find_encoding
from masthead.errors import Invalid

DELIMITERS = (",", ";", "\t")
MOST_COLUMNS = 1_000
MOST_LINE = 1024 * 1024
"""Characters of a line."""
_HEAD = 50
"""Lines among which the header has to end."""
_PIECE = 64 * 1024
# A CR at the end may be half of a CRLF.
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)")
_SEPARATOR = re.compile(r'"?sep=([^\s"\w])"?[\r\n]*|sep=(\t)[\r\n]*', re.IGNORECASE)


class CsvRow(NamedTuple):
    """A row of a file that isn't blank."""

    line: int
    """Where it starts, counted from 1."""
    values: dict[str, str]
    """By name of the columns that the file has, untrimmed; empty where there is an error."""
    error: str | None
    """Why its cells can't be told apart."""


class CsvReader:
    """The rows of a CSV file, of which memory holds a piece at a time.

    :param file: can be read from its beginning, more than once.
    :param columns: those that are looked for; others are ignored.
    :param charset: the file's encoding, where the client says it.
    :raises Invalid: for a file that is empty or no text, has none of the required columns, or one
        that is known twice. What is no CSV further down is raised while rows are read, so store
        nothing for good before they end.
    """

    def __init__(
        self, file: IO[bytes], columns: Sequence[CsvColumn], charset: str | None = None
    ) -> None:
        self._columns = columns
        self.encoding = find_encoding(file, charset)
        self._file = file
        lines = self._lines()
        head = self._guarded(lines, _HEAD)
        self._skipped = 0
        separator = _SEPARATOR.fullmatch(head[0]) if head else None
        if separator:
            self._skipped = 1
            head = [*head[1:], *self._guarded(lines, 1)]
        choices = [separator[1] or separator[2]] if separator else DELIMITERS
        self.delimiter = self._choose(head, choices)
        self._rows = csv.reader(chain(head, lines), delimiter=self.delimiter, strict=True)
        header = self._read_row()
        while not _says_something(header or [""]):
            header = self._read_row()
        self.header: list[str] = header or []
        self._found = find_columns(columns, self.header)

    def __iter__(self) -> Iterator[CsvRow]:
        """The rows.

        :raises Invalid: where the file is no CSV.
        """
        width = len(self.header)
        simple = [(name, at[0][0]) for name, at in self._found.items() if _is_simple(at)]
        others = [(name, at) for name, at in self._found.items() if not _is_simple(at)]
        while True:
            line = self._rows.line_num + self._skipped + 1
            cells = self._read_row()
            if cells is None:
                return
            if not _says_something(cells):
                continue
            if len(cells) != width:
                words = f"Has {len(cells)} cells where the header has {width}"
                yield CsvRow(line, {}, words)
                continue
            values = {name: cells[at] for name, at in simple}
            for name, sources in others:
                values[name] = _first_text(cells, sources)
            yield CsvRow(line, values, None)

    def _lines(self) -> Iterator[str]:
        """The lines with their ends, which may be of any kind, and be part of a cell."""
        decoder = codecs.getincrementaldecoder(self.encoding)()
        rest, number, ended = "", 0, False
        while not ended:
            piece = self._file.read(_PIECE)
            ended = not piece
            text = rest + decoder.decode(piece, ended)
            if not number:
                # Not every charset takes a byte order mark for one; a quote has to come first.
                text = text.lstrip("\ufeff")
            # A line's end may go on in the next piece. Behind the last end nothing is looked for:
            # what has no end would be gone through again from each of its characters.
            ends = text if ended else text.removesuffix("\r")
            cut = max(ends.rfind("\n"), ends.rfind("\r")) + 1
            lines, rest = _LINE.findall(text[:cut]), text[cut:]
            if len(rest) > MOST_LINE:
                raise Invalid(
                    f"Line {number + len(lines) + 1} has more than {MOST_LINE} characters"
                )
            number += len(lines)
            yield from lines
        if rest:
            yield rest

    def _guarded(self, lines: Iterable[str], most: int) -> list[str]:
        """The next lines, at most so many."""
        try:
            return list(islice(lines, most))
        except UnicodeError:
            raise self._not_text() from None

    def _choose(self, head: Sequence[str], choices: Sequence[str]) -> str:
        """The delimiter under which the header has most of the columns, the required ones first."""
        if not any(line.strip(" \t\r\n") for line in head):
            raise Invalid("The file is empty")
        headers = {choice: _read_header(head, choice) for choice in choices}
        best, most = "", 0
        for choice, header in headers.items():
            found = self._known(header)
            if all(c.name in found for c in self._columns if c.required) and len(found) > most:
                best, most = choice, len(found)
        if best:
            return best
        header = max(headers.values(), key=len)
        wanted = ", ".join(column.name for column in self._columns if column.required)
        there = ", ".join(cell.strip()[:30] for cell in header[:10])
        raise Invalid(f"There is no column {wanted}; the first row is: {there}")

    def _known(self, header: Sequence[str]) -> dict[str, list[Source]]:
        if len(header) > MOST_COLUMNS:
            raise Invalid(f"The file has more than {MOST_COLUMNS} columns")
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
    """The first row that says something, or nothing where it can't be read."""
    try:
        rows = csv.reader(head, delimiter=delimiter, strict=True)
        return next((row for row in rows if _says_something(row)), [])
    except csv.Error:
        return []


def _says_something(cells: Sequence[str]) -> bool:
    """Whether a row is more than the blank ones that spreadsheets leave at the end."""
    return any(map(str.strip, cells))


def _is_simple(sources: Sequence[Source]) -> bool:
    return len(sources) == 1 and len(sources[0]) == 1


def _first_text(cells: Sequence[str], sources: Sequence[Source]) -> str:
    for source in sources:
        parts = (cells[at].strip() for at in source)
        if text := " ".join(part for part in parts if part):
            return text
    return ""


def _explain(error: csv.Error) -> str:
    words = str(error)
    if "end of data" in words:
        return "A quote is opened here and never closed"
    if "larger than" in words:
        return f"A cell has more than {csv.field_size_limit()} characters"
    return "A cell goes on after its closing quote"
