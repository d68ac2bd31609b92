"""The import of contacts from a file of any kind: a table, or vCards.

vCards become a table first, so that both are checked and stored by the same code.
"""

from __future__ import annotations

import io
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from tempfile import TemporaryFile
from typing import IO

from masthead import CsvReport, Instance, Invalid, find_encoding, write_csv
from masthead_crm.csv_import import CONTACTS_CSV
from masthead_crm.vcard.contacts import COLUMNS, GROUP, contact_values, is_group, unused_names
from masthead_crm.vcard.reading import Card, read_cards

_HEAD = 512
_BEGIN = b"BEGIN:VCARD"
_BLANK = "Has neither a name nor another value that contacts have"


@dataclass(frozen=True)
class ImportedFile:
    """The result of the import of a file."""

    report: CsvReport
    """The counts and errors; ``row`` is the number of a vCard, or the line in a table."""
    unit: str = "line"
    """The word for the things that ``row`` counts."""
    unused: Collection[str] = ()
    """The names of the properties of vCards that contacts don't have."""


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
    charset: str | None = None,
    *,
    dry_run: bool = False,
    actor_id: int | None = None,
) -> ImportedFile:
    """Import a file.

    :param file: a seekable file.
    :param charset: the file's encoding; by default it is detected.
    :param dry_run: whether to report only, without storing anything.
    :param actor_id: the id of the user who imports the file.
    :raises Invalid: for a file that can't be read; nothing is stored then.
    """
    if not is_vcard(file):
        report = CONTACTS_CSV.run(instance, file, charset, dry_run=dry_run, actor_id=actor_id)
        return ImportedFile(report)
    with TemporaryFile() as table:
        cards = _write_table(file, find_encoding(file, charset), table)
        report = CONTACTS_CSV.run(instance, table, "utf-8", dry_run=dry_run, actor_id=actor_id)
    report.errors = [each._replace(row=cards.numbers[each.row]) for each in report.errors]
    for number, error in cards.errors:
        report.add_error(number, error)
    report.errors.sort(key=lambda error: error.row)
    return ImportedFile(report, "card", sorted(cards.unused))


def is_vcard(file: IO[bytes]) -> bool:
    """Whether a file begins as a vCard; the file is rewound."""
    file.seek(0)
    head = file.read(_HEAD)
    file.seek(0)
    # Without the byte order marks of UTF-8 and UTF-16, and the zeros of UTF-16.
    text = head.translate(None, b"\0\xef\xbb\xbf\xff\xfe").lstrip()
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
        error = card.error or (GROUP if is_group(card) else None if any(values) else _BLANK)
        if error is not None:
            cards.errors.append((card.number, error))
            continue
        cards.unused |= unused_names(card)
        cards.numbers[cards.line] = card.number
        cards.line += 1 + sum(value.count("\n") for value in values)
        yield values
