"""Contacts from a CSV file: what can be used is imported, and the rest is named.

The file is read and checked while a temporary table fills. Only then does the transaction begin,
in which a few statements make contacts of its rows.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import IO, Any, TypeVar

from masthead import (
    CsvReader,
    CsvRow,
    Email,
    Instance,
    Str,
    first_value,
    fold,
    is_blank,
    ready_tokens,
    stage_rows,
)
from masthead_crm.columns import COLUMNS, split_tags
from masthead_crm.models import ATTENDEE, MOST_TAGS, NOTES, STATUSES
from masthead_crm.services.staged import STAGED, count_new, store_new

MOST_ERRORS = 1_000
"""Of how many rows it is said what is wrong with them."""

_NAME, _EMAIL, _PHONE, _TAG, _NOTES = Str(), Email(), Str(), Str(), Str(NOTES)
_STATUSES = {fold(status): status for status in STATUSES}
_Value = TypeVar("_Value")


@dataclass
class Imported:
    """What became of a file's rows: ``imported + skipped + error_count`` are all of them."""

    imported: int = 0
    skipped: int = 0
    """Whose address is that of a contact, or of an earlier row."""
    error_count: int = 0
    errors: list[dict[str, Any]] = dataclass_field(default_factory=list)
    """Of the first 1,000 rows that couldn't be used: the line where it starts, and why."""

    def refuse(self, line: int, why: str) -> None:
        """Count a row that can't be used."""
        self.error_count += 1
        if len(self.errors) < MOST_ERRORS:
            self.errors.append({"row": line, "error": why})


def import_contacts(
    instance: Instance,
    file: IO[bytes],
    charset: str | None = None,
    *,
    dry_run: bool = False,
    actor_id: int | None = None,
) -> Imported:
    """Import a CSV file, in a transaction of its own.

    :param file: can be read twice from its beginning.
    :param charset: the file's encoding, where it is known.
    :param dry_run: whether only to say what would become of it.
    :param actor_id: the user who does it.
    :raises Invalid: for a file of which nothing can be imported.
    """
    result = Imported()
    rows = _staged_rows(CsvReader(file, COLUMNS, charset or None), result)
    with stage_rows(instance.database, STAGED, rows) as session:
        if dry_run:
            result.imported, staged = count_new(session)
        else:
            result.imported, staged = store_new(session, actor_id)
    result.skipped = staged - result.imported
    return result


def _staged_rows(reader: CsvReader, result: Imported) -> Iterator[tuple[Any, ...]]:
    number = 0
    for row in reader:
        try:
            staged = _staged(row)
        except ValueError as error:
            result.refuse(row.line, str(error))
            continue
        number += 1
        yield (number, None, *staged)


def _staged(row: CsvRow) -> tuple[Any, ...]:
    """A row as it is staged, after number and id; ``ValueError`` says what is wrong with it."""
    if row.error is not None:
        raise ValueError(row.error)
    cell = row.values.get
    name = _checked("name", _NAME.parse, row.values["name"])
    email = _optional("email", _EMAIL.parse, first_value(cell("email", "")))
    phone = _optional("phone", _PHONE.parse, first_value(cell("phone", "")))
    notes = _optional("notes", _NOTES.parse, cell("notes", ""))
    status = _optional("status", _status, cell("status", "")) or ATTENDEE
    tags = _optional("tags", _tags, cell("tags", "")) or []
    keys = list(dict.fromkeys(map(fold, tags)))
    return (
        name,
        email,
        fold(email) if email else None,
        phone,
        status,
        json.dumps(tags, ensure_ascii=False),
        json.dumps(keys, ensure_ascii=False),
        notes,
        *ready_tokens(name, email, phone, notes),
    )


def _checked(field: str, parse: Callable[[str], _Value], text: str) -> _Value:
    try:
        return parse(text)
    except ValueError as error:
        raise ValueError(f"{field}: {error}") from None


def _optional(field: str, parse: Callable[[str], _Value], text: str) -> _Value | None:
    return None if is_blank(text) else _checked(field, parse, text)


def _status(text: str) -> str:
    status = _STATUSES.get(fold(text.strip()))
    if status is None:
        raise ValueError("Must be one of " + ", ".join(STATUSES))
    return status


def _tags(text: str) -> list[str]:
    tags = [_TAG.parse(tag) for tag in split_tags(text)]
    if len(tags) > MOST_TAGS:
        raise ValueError(f"At most {MOST_TAGS} elements")
    return tags
