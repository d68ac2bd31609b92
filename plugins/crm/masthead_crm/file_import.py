"""The import of contacts from a file of any kind: a table, or vCards.

vCards become a table first, so that both are checked and stored by the same code.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from tempfile import TemporaryFile
from typing import IO, TextIO

from masthead import CsvReport, Instance, Invalid, find_encoding, write_csv
from masthead_crm.csv_import import ImportOptions, import_table
from masthead_crm.vcard.contacts import COLUMNS, GROUP, contact_values, is_group, unused_names
from masthead_crm.vcard.reading import MAX_LENGTH, Card, read_cards

_HEAD = 512
_BEGIN = b"BEGIN:VCARD"
_BLANK = "Has neither a name nor another value that contacts have"
_TOO_LONG = f"Its values have more than {MAX_LENGTH} characters together"


@dataclass
class _Cards:
    """The vCards of a file, as they become the rows of a table."""

    errors: list[tuple[int, str]] = field(default_factory=list)
    unused: set[str] = field(default_factory=set)
    numbers: dict[int, int] = field(default_factory=dict)
    """The numbers of the vCards, by the line of the table where their row starts."""
    line: int = 2
    """The line of the table where the next row starts."""


def import_contacts(
    instance: Instance,
    file: IO[bytes],
    options: ImportOptions,
    *,
    refused: TextIO | None = None,
    actor_id: int | None = None,
) -> tuple[CsvReport, str | None]:
    """Import a file.

    :param file: a seekable file.
    :param refused: a file for the rows with errors.
    :param actor_id: the id of the user who imports the file.
    :returns: the result, whose rows are vCards if the file has some, and the name of a saved
        mapping that fits the file if none is given.
    :raises Invalid: for a file that can't be read; nothing is stored then.
    """
    if not is_vcard(file):
        return import_table(instance, file, options, refused=refused, actor_id=actor_id)
    with TemporaryFile() as table:
        cards = _write_table(file, find_encoding(file, options.charset), table)
        own = ImportOptions(
            charset="utf-8", repeat=options.repeat, plain=True, dry_run=options.dry_run
        )
        report, _ = import_table(instance, table, own, refused=refused, actor_id=actor_id)
    _count_cards(report, cards)
    return report, None


def _count_cards(report: CsvReport, cards: _Cards) -> None:
    """Let a report count vCards instead of the lines of their table."""
    report.unit, report.columns = "card", []
    report.ignored_columns = sorted(cards.unused)
    report.errors = [each._replace(row=cards.numbers[each.row]) for each in report.errors]
    report.preview = [each._replace(row=cards.numbers[each.row]) for each in report.preview]
    for number, error in cards.errors:
        report.add_error(number, error)


def is_vcard(file: IO[bytes]) -> bool:
    """Whether a file begins as a vCard; the file is rewound."""
    file.seek(0)
    head = file.read(_HEAD)
    file.seek(0)
    # Without the byte order marks of UTF-8 and UTF-16, and the zeros of UTF-16.
    text = head.replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe").lstrip()
    return text.upper().startswith(_BEGIN)


def _write_table(file: IO[bytes], encoding: str, table: IO[bytes]) -> _Cards:
    cards = _Cards()
    text = io.TextIOWrapper(table, encoding="utf-8", newline="")
    lines = io.TextIOWrapper(file, encoding=encoding)
    try:
        write_csv(text, COLUMNS, _rows(read_cards(lines), cards), spreadsheet_safe=True)
    except UnicodeDecodeError:
        raise Invalid(f"The file is not {encoding}") from None
    finally:
        # The caller closes both files.
        text.detach()
        lines.detach()
    return cards


def _rows(found: Iterator[Card], cards: _Cards) -> Iterator[tuple[str, ...]]:
    for card in found:
        values = contact_values(card)
        if error := card.error or _find_error(card, values):
            cards.errors.append((card.number, error))
            continue
        cards.unused |= unused_names(card)
        cards.numbers[cards.line] = card.number
        cards.line += 1 + sum(value.count("\n") for value in values)
        yield values


def _find_error(card: Card, values: tuple[str, ...]) -> str | None:
    """Return the reason why a vCard can be no row of the table."""
    if is_group(card):
        return GROUP
    if not any(values):
        return _BLANK
    # A longer cell would make the whole table invalid.
    return _TOO_LONG if sum(map(len, values)) >= MAX_LENGTH else None
