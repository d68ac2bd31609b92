"""The rows of a table without the lines around it: notes, totals and repeated headers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from masthead.csv.columns import Source

MAX_NOTES = 20
"""The number of rows above the header that may be notes."""
MAX_IGNORED = 100
"""The number of ignored rows that are listed."""
_MAX_SHOWN = 200

# Words of totals below a table, in the languages of ``header_names.tsv``.
_TOTALS = (
    "grand total", "subtotal", "total", "sum", "count", "gesamt", "summe", "anzahl", "somme",
    "totaux", "suma", "totale", "totaal", "aantal", "razem", "celkem", "summa", "sammanlagt",
    "i alt", "totalt",
    "yhteensä", "összesen", "toplam", "σύνολο", "итого", "всего", "усього", "разом", "المجموع",
    "סה״כ", 'סה"כ', "合計", "総計", "合计", "总计", "總計", "합계", "총계",
)  # fmt: skip
# Lines that reports and exports write about themselves begin with these words.
_MADE = (
    "generated", "exported", "created", "printed", "downloaded", "report generated", "erstellt",
    "exportiert", "generiert", "gedruckt", "généré", "exporté", "créé", "imprimé", "generado",
    "exportado", "creado", "generato", "esportato", "creato", "gegenereerd", "geëxporteerd",
    "gemaakt", "gerado", "criado",
)  # fmt: skip
_BY = (
    "by", "on", "at", "from", "with", "von", "am", "mit", "aus", "par", "le", "avec", "por", "el",
    "con", "da", "il", "door", "op", "met", "em", "com",
)  # fmt: skip
_OTHERS = (
    "copyright", "© 1", "© 2", "(c) 2", "(c) 1", "confidential information", "all rights reserved",
    "end of report", "end of file", "end of list",
)  # fmt: skip
_PREFIX = 3
_STARTS = frozenset(word[:_PREFIX] for word in (*_TOTALS, *_MADE, *_OTHERS))
"""The starts of all these words; most rows start with none, and patterns are slow."""
_TOTAL = re.compile(
    rf"(?:{'|'.join(map(re.escape, _TOTALS))})s?(?: \w+(?= ?[:=\d]))?[\s:=\d.,]*", re.IGNORECASE
)
_ABOUT = re.compile(
    rf"(?:{'|'.join(_MADE)})(?: (?:{'|'.join(_BY)})\b|\s*:)|{'|'.join(map(re.escape, _OTHERS))}",
    re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")
_LETTER = re.compile(r"[^\W\d_]")


class IgnoredRow(NamedTuple):
    """A row that is no part of the table."""

    row: int
    """The line where it starts, counted from 1."""
    text: str
    """The texts of its cells."""


class Header(NamedTuple):
    """The header of a table."""

    notes: int
    """The number of rows above it that aren't blank."""
    cells: list[str]
    found: dict[str, list[Source]]
    """The sources of the columns that were found."""


class Ignored(list[IgnoredRow]):
    """The first rows that are no part of the table."""

    def add(self, line: int, cells: Sequence[str]) -> None:
        """Add a row."""
        if len(self) < MAX_IGNORED:
            texts = [text for cell in cells if (text := cell.strip("\ufeff \t\r\n"))]
            self.append(IgnoredRow(line, ", ".join(texts)[:_MAX_SHOWN]))


def is_blank(cells: Sequence[str]) -> bool:
    """Whether a row has blank cells only, as spreadsheets leave them at the end."""
    return not any(map(str.strip, cells))


def find_header(
    rows: Iterable[Sequence[str]], find: Callable[[list[str]], dict[str, list[Source]] | None]
) -> Header | None:
    """Return the header: the first row with the required columns, below notes.

    A note has fewer cells than the header and no e-mail address.

    :param find: returns the sources of columns in a row, or None if a required one is missing.
    """
    widest = 0
    filled = (list(row) for row in rows if not is_blank(row))
    for index, row in zip(range(MAX_NOTES + 1), filled, strict=False):
        width = sum(map(bool, map(str.strip, row)))
        found = find(row)
        if found and (index == 0 or (len(found) > 1 and width > widest)):
            return Header(index, row, found)
        if any("@" in cell for cell in row):
            return None
        widest = max(widest, width)
    return None


def data_rows(
    rows: Iterable[tuple[int, list[str]]], header: list[str], ignored: Ignored
) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of persons below a header, which aren't blank.

    :param ignored: collects totals, lines about the report, and repeated headers.
    """
    start = header[0]
    held: tuple[int, list[str]] | None = None
    below = after_blank = False
    for line, cells in rows:
        if is_blank(cells):
            after_blank = True
            continue
        is_header = start in cells[0] and _is_repeated(cells, header)
        if is_header or _is_about_table(cells):
            if held:
                ignored.add(*held)
            ignored.add(line, cells)
            held, below = None, not is_header
        elif below and _is_title(cells, header):
            ignored.add(line, cells)
        else:
            if held:
                yield held
            held, below = None, False
            # It is the title of a report if a line about the report follows.
            if after_blank and _is_title(cells, header):
                held = line, cells
            else:
                yield line, cells
        after_blank = False
    if held:
        yield held


def _is_title(cells: Sequence[str], header: Sequence[str]) -> bool:
    return len(cells) == 1 < len(header) and "@" not in cells[0]


def _is_repeated(cells: Sequence[str], header: Sequence[str]) -> bool:
    """Whether a row is the header again, as where files were joined."""
    same = cells[0].lstrip("\ufeff") == header[0] and cells[1 : len(header)] == header[1:]
    return same and is_blank(cells[len(header) :])


def _is_about_table(cells: Sequence[str]) -> bool:
    first = (cells[0] or next(filter(None, cells))).lstrip()
    if first[:_PREFIX].lower() not in _STARTS:
        return False
    others = [cell for cell in cells if cell and cell.lstrip() != first]
    if _TOTAL.fullmatch(first):
        has_number = any(map(_DIGIT.search, (first, *others)))
        return has_number and not any(map(_LETTER.search, others))
    return _ABOUT.match(first) is not None and not any("@" in cell for cell in others)
