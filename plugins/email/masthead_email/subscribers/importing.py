"""Subscribers from a CSV file: read and checked first, then stored by one statement."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from typing import Any, BinaryIO

from sqlalchemy import Column, MetaData, Table, Text, case, func, literal, select, true
from sqlalchemy.orm import Session

from masthead import (
    EMAIL_COLUMN,
    NAME_COLUMN,
    CsvColumn,
    CsvReader,
    Instance,
    Str,
    UTCDateTime,
    first_value,
    index_selected,
    insert_into,
    ready_tokens,
    stage_rows,
    utcnow,
)
from masthead_email.subscribers.checking import Addresses
from masthead_email.subscribers.models import SOURCE, STATUSES, SUBSCRIBED, Subscriber
from masthead_email.subscribers.resource import SUBSCRIBERS

COLUMNS = (
    replace(EMAIL_COLUMN, required=True),
    replace(NAME_COLUMN, aliases=("Full Name", "Display Name")),
    CsvColumn("status"),
    CsvColumn("source"),
)
_NAME, _SOURCE = Str(min_length=0), Str(SOURCE, min_length=0)

_STAGED = Table(
    "email_subscriber_staged",
    MetaData(),
    *(Column(name, Text) for name in ("email", "name", "status", "source", "tokens", "runs")),
    prefixes=["TEMPORARY"],
)


@dataclass
class Imported:
    """What became of a file's rows."""

    imported: int = 0
    skipped: int = 0
    """Rows of addresses that were there already, in the file or the database."""
    errors: list[tuple[int, str]] = dataclass_field(default_factory=list)
    """For each row that can't be used its line and what is wrong."""


def import_subscribers(
    instance: Instance, file: BinaryIO, *, source: str, charset: str | None = None
) -> Imported:
    """Add the subscribers of a CSV file; who is known stays as they are.

    :param file: is closed afterwards.
    :param source: of those for whom the file names none.
    :param charset: the file's encoding, where it is known.
    :raises Invalid: for what is no CSV; nothing is stored then.
    """
    report = Imported()
    with file:
        rows = _Rows(CsvReader(file, COLUMNS, charset), source, report)
        with stage_rows(instance.database, _STAGED, rows) as session:
            report.imported = _store(session)
    report.skipped = rows.read - report.imported - len(report.errors)
    return report


class _Rows:
    """The rows to stage, each address once; counts what it reads, and notes what is wrong."""

    def __init__(self, reader: CsvReader, source: str, report: Imported) -> None:
        self._reader = reader
        self._source = source
        self._report = report
        self._addresses = Addresses()
        self.read = 0

    def __iter__(self) -> Iterator[tuple[str | None, ...]]:
        seen: set[str] = set()
        for row in self._reader:
            self.read += 1
            try:
                if row.error:
                    raise ValueError(row.error)  # noqa: TRY301 - noted as all others are
                checked = self._check(row.values)
            except ValueError as error:
                self._report.errors.append((row.line, str(error)))
                continue
            if checked[0] not in seen:
                seen.add(checked[0])
                yield *checked, *ready_tokens(checked[0], checked[1])

    def _check(self, values: dict[str, str]) -> tuple[str, str | None, str, str]:
        email = _checked("email", self._addresses.check, first_value(values["email"]))
        name = _checked("name", _NAME.parse, values.get("name", "")) or None
        status = values.get("status", "").strip().lower() or SUBSCRIBED
        if status not in STATUSES:
            raise ValueError(f"status: Must be one of {', '.join(STATUSES)}")
        source = _checked("source", _SOURCE.parse, values.get("source", "")) or self._source
        return email, name, status, source


def _checked(name: str, check: Callable[[str], Any], text: str) -> str:
    try:
        value: str = check(text)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
    return value


def _store(session: Session) -> int:
    """Make subscribers of the staged rows whose addresses nobody has."""
    now, staged = utcnow(), _STAGED.c
    before = session.scalar(select(func.coalesce(func.max(Subscriber.id), 0)))
    moment = literal(now, UTCDateTime())
    columns = {
        "email": staged.email,
        "name": staged.name,
        "status": staged.status,
        "source": staged.source,
        "revision": literal(1),
        "created_at": moment,
        "updated_at": moment,
        "unsubscribed_at": case((staged.status != SUBSCRIBED, moment)),
    }
    # SQLite takes ON CONFLICT after a SELECT for a join unless that has a WHERE.
    chosen = select(*columns.values()).where(true())
    insert = insert_into(session, Subscriber).from_select(
        list(columns), chosen, include_defaults=False
    )
    session.execute(insert.on_conflict_do_nothing(index_elements=[Subscriber.email]))
    new = (
        select(Subscriber.id, staged.tokens, staged.runs)
        .join(_STAGED, staged.email == Subscriber.email)
        .where(Subscriber.id > before, Subscriber.created_at == now)
    )
    index_selected(session, SUBSCRIBERS.name, new)
    return session.scalar(select(func.count()).select_from(new.subquery())) or 0
