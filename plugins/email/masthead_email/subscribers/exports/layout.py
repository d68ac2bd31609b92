"""Deciding by the header and the values of a file how its rows are read."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import IO

from masthead import CsvColumn, Invalid, ProblemCode, find_date_order, wrong_field
from masthead_email.subscribers.exports.facts import CREATION, FACTS, FIELDS, PERSON_COLUMNS, TIMES
from masthead_email.subscribers.exports.known_columns import STATUS_COLUMNS
from masthead_email.subscribers.exports.row_reader import (
    FIELD_SEPARATOR,
    KIND,
    RowReader,
    TimeReader,
)
from masthead_email.subscribers.exports.status_columns import StatusColumn, compact, is_time, worst
from masthead_email.subscribers.exports.survey import Survey, SurveyedColumn, survey
from masthead_email.subscribers.exports.vocabulary import may_tell_status, plain
from masthead_email.subscribers.models import BOUNCED, COMPLAINED, LEFT, PENDING, REMOVED

_SHOWN = 5
"""The number of values that a message shows."""
_SHOWN_LENGTH = 30
_REMEDY = "Correct the file, or ignore a column by its name (--ignore-column, ignore)"
_FILE_NAMES = (
    (re.compile(r"complain|\bspam"), COMPLAINED),
    (re.compile(r"\bcleaned|bounce"), BOUNCED),
    (re.compile(r"un ?subscri|\bopt(?:ed)? ?outs?\b|abgemeldet|abmeld|desinscri|desabonn"), LEFT),
    (re.compile(r"\bdeleted|\bsuppress|black ?list|block ?list"), REMOVED),
    (re.compile(r"non ?subscri|\bunconfirmed|\bpending"), PENDING),
)
"""Words in the names of files whose persons all have one status, as those of Mailchimp."""


@dataclass(frozen=True)
class Layout:
    """The columns of a file, and the reader of its rows."""

    columns: tuple[CsvColumn, ...]
    """The columns to find; see :func:`field_of` for their names."""
    reader: RowReader


def field_of(column: str) -> str:
    """Return the field of a column of a layout, such as ``status`` for ``3:status``."""
    return column.rpartition(FIELD_SEPARATOR)[2]


def find_layout(
    file: IO[bytes], charset: str | None, file_name: str, ignore: Collection[str]
) -> Layout:
    """Return the layout of a file, which is read once.

    :param file: a seekable file.
    :param file_name: its name, which may say the status of all persons; blank if it has none.
    :param ignore: names of columns to ignore.
    :raises Invalid: for a file that can't be read as a table, and if a column that may say who has
        unsubscribed isn't understood.
    """
    found = survey(file, PERSON_COLUMNS, charset)
    ignored = _ignored(found, ignore)
    of_persons = {used.column for used in found.used}
    others = [
        column
        for column in found.columns
        if column.name not in of_persons and compact(column.name) not in ignored
    ]
    status_columns = {c: s for c in others if (s := _status_column(c)) is not None}
    facts = _facts(others)
    _refuse_unknown(others, status_columns)
    return _layout(_person_columns(found, ignored), status_columns, facts, file_name)


def _ignored(found: Survey, ignore: Iterable[str]) -> set[str]:
    names = {compact(column.name) for column in found.columns}
    for name in ignore:
        if compact(name) not in names:
            raise wrong_field(
                "ignore", ProblemCode.UNKNOWN_NAME, f"There is no column {_shown(name)}"
            )
    return set(map(compact, ignore))


def _person_columns(found: Survey, ignored: Collection[str]) -> list[CsvColumn]:
    """Return the columns of persons without those of ignored fields."""
    dropped = {used.field for used in found.used if compact(used.column) in ignored}
    if "email" in dropped:
        message = "The column of the e-mail addresses can't be ignored"
        raise wrong_field("ignore", ProblemCode.NOT_ALLOWED, message)
    return [column for column in PERSON_COLUMNS if column.name not in dropped]


def _status_column(column: SurveyedColumn) -> StatusColumn | None:
    """Return the meaning of a column's values; None if they aren't about the status."""
    name, values = compact(column.name), column.values
    known = STATUS_COLUMNS.get(name)
    if known is None or not known.weak:
        return known
    if any(known.meaning(value) for value in values if known.knows(value)):
        return known
    # A column such as "Subscribed" has either a status or times.
    may_be_times = FIELDS.get(name) in TIMES
    return known if may_be_times and values and not any(map(is_time, values)) else None


def _facts(columns: Iterable[SurveyedColumn]) -> dict[str, list[SurveyedColumn]]:
    """Return the columns about the consent by field, the most important one first."""
    found: dict[str, list[SurveyedColumn]] = {}
    for column in columns:
        if field := FIELDS.get(compact(column.name)):
            found.setdefault(field, []).append(column)
    for field, same in found.items():
        names = list(map(compact, FACTS[field]))
        same.sort(key=lambda column: names.index(compact(column.name)))
    subscribed = found.get("subscribedAt", [])
    creation = set(map(compact, CREATION))
    better = [column for column in subscribed if compact(column.name) not in creation]
    if better:
        found["subscribedAt"] = better
    return found


def _refuse_unknown(
    columns: Iterable[SurveyedColumn],
    status_columns: Mapping[SurveyedColumn, StatusColumn],
) -> None:
    """Refuse a file with a column about the status that isn't understood."""
    problems = []
    for column in columns:
        name, status = _shown(column.name), status_columns.get(column)
        if status is not None:
            unknown = [value for value in column.values if not status.knows(value)]
            if unknown:
                problems.append(f"The column {name} has unknown values: {_listed(unknown)}")
        elif compact(column.name) not in FIELDS:
            values = None if column.many else column.values
            if may_tell_status(column.name, values):
                shown = _listed(column.values)
                problems.append(f"The column {name} is unknown; it has the values {shown}")
    if problems:
        raise Invalid(
            f"The import can't tell who has unsubscribed. {'. '.join(problems)}. {_REMEDY}"
        )


def _layout(
    persons: Iterable[CsvColumn],
    status_columns: Mapping[SurveyedColumn, StatusColumn],
    facts: Mapping[str, list[SurveyedColumn]],
    file_name: str,
) -> Layout:
    columns, by_name, fields = list(persons), {}, {}
    for at, (column, status) in enumerate(status_columns.items()):
        own = compact(column.name) == compact(KIND)
        key = f"{at}{FIELD_SEPARATOR}{KIND if own else 'status'}"
        columns.append(CsvColumn(key, (column.name,)))
        by_name[key] = status
    for field, same in facts.items():
        key = f"{FIELD_SEPARATOR}{field}"
        columns.append(CsvColumn(key, tuple(column.name for column in same)))
        fields[key] = field
    times = {
        field: _time_reader(same, status_columns) for field, same in facts.items() if field in TIMES
    }
    return Layout(tuple(columns), RowReader(by_name, _file_status(file_name), fields, times))


def _time_reader(
    columns: Iterable[SurveyedColumn], status_columns: Mapping[SurveyedColumn, StatusColumn]
) -> TimeReader:
    """Return the reader of a field's times.

    :raises Invalid: if no time of a column can be read.
    """
    columns = list(columns)
    texts = [text for column in columns for text in column.values]
    strict = not any(column in status_columns for column in columns)
    reader = TimeReader(columns[0].name, find_date_order(texts), strict)
    errors = []
    for text in texts:
        try:
            reader.read(text)
        except ValueError as error:
            errors.append(str(error))
    if errors and len(errors) == len(texts):
        raise Invalid(f"No time of a column can be read. {errors[0]}. {_REMEDY}")
    return reader


def _file_status(file_name: str) -> str | None:
    name = plain(file_name)
    return worst(status for pattern, status in _FILE_NAMES if pattern.search(name))


def _listed(values: Iterable[str]) -> str:
    ordered = sorted(values)
    shown = ", ".join(map(_shown, ordered[:_SHOWN]))
    return f"{shown} …" if len(ordered) > _SHOWN else shown


def _shown(text: str) -> str:
    """Return a text from a file for a message of one line."""
    cut = f"{text[: _SHOWN_LENGTH - 1]}…" if len(text) > _SHOWN_LENGTH else text
    return "".join(letter if letter.isprintable() else " " for letter in cut)
