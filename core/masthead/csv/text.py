"""The rows of a text file with delimiters; its header decides on the delimiter."""

from __future__ import annotations

import codecs
import csv
import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import IO

from masthead.csv.encoding import find_encoding
from masthead.csv.kinds import refuse_other_kinds
from masthead.errors import Invalid

DELIMITERS = (",", ";", "\t")
MAX_LINE = 1024 * 1024
"""The maximum number of characters in a line."""
_HEAD = 50
"""The number of lines within which the header has to end."""
_CHUNK = 64 * 1024
# A CR at the end may be half of a CRLF.
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)")
_SEPARATOR = re.compile(r'"?sep=([^\s"\w])"?[\r\n]*|sep=(\t)[\r\n]*', re.IGNORECASE)


class TextTable:
    """The rows of a text file, which is read in chunks.

    :param file: a seekable file.
    :param charset: the file's encoding, where the client states it.
    :raises Invalid: for a file that is empty or not text.
    """

    def __init__(self, file: IO[bytes], charset: str | None = None) -> None:
        refuse_other_kinds(file)
        self.encoding = find_encoding(file, charset)
        self._file = file
        self._lines = self._read_lines()
        self._head = self._take(_HEAD)
        self._skipped = 0
        self._choices: Sequence[str] = DELIMITERS
        separator = _SEPARATOR.fullmatch(self._head[0]) if self._head else None
        if separator:
            self._skipped = 1
            self._head = [*self._head[1:], *self._take(1)]
            self._choices = [separator[1] or separator[2]]
        if not any(line.strip(" \t\r\n") for line in self._head):
            raise Invalid("The file is empty")

    def heads(self) -> dict[str, list[list[str]]]:
        """Return the first rows, as far as they can be read, by each possible delimiter."""
        return {choice: list(self._read_head(choice)) for choice in self._choices}

    def rows(self, delimiter: str) -> Iterator[tuple[int, list[str]]]:
        """Yield each row with the line where it starts.

        :raises Invalid: where the file isn't CSV.
        """
        rows = csv.reader(
            chain(self._head, self._lines),
            delimiter=delimiter,
            strict=True,
            skipinitialspace=self._has_blanks_before_quotes(delimiter),
        )
        while True:
            line = rows.line_num + self._skipped + 1
            try:
                cells = next(rows, None)
            except csv.Error as error:
                raise Invalid(f"Line {line}: {_explain(error)}") from None
            except UnicodeError:
                raise self._not_text() from None
            if cells is None:
                return
            yield line, cells

    def _read_head(self, delimiter: str) -> Iterator[list[str]]:
        blanks = self._has_blanks_before_quotes(delimiter)
        rows = csv.reader(self._head, delimiter=delimiter, strict=True, skipinitialspace=blanks)
        try:
            yield from rows
        except csv.Error:
            return

    def _has_blanks_before_quotes(self, delimiter: str) -> bool:
        """Whether cells are written as in ``"a", "b"``.

        In a file without such blanks, the pattern occurs nowhere: quotes inside cells are doubled.
        """
        pattern = re.compile(rf'(?:^|{re.escape(delimiter)}) +"(?=[^"\r\n{re.escape(delimiter)}])')
        return any(map(pattern.search, self._head))

    def _read_lines(self) -> Iterator[str]:
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

    def _take(self, limit: int) -> list[str]:
        """Return at most ``limit`` of the next lines."""
        try:
            return list(islice(self._lines, limit))
        except UnicodeError:
            raise self._not_text() from None

    def _not_text(self) -> Invalid:
        return Invalid(f"The file is not written in {self.encoding}")


def _explain(error: csv.Error) -> str:
    message = str(error)
    if "end of data" in message:
        return "A quote is opened here and never closed"
    if "larger than" in message:
        return f"A cell has more than {csv.field_size_limit()} characters"
    return "A cell goes on after its closing quote"
