"""The checks of a CSV file's rows against the database, once all rows are staged."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, Table, delete, exists, or_, select
from sqlalchemy.orm import Session

from masthead.approval.gate import ask, has_gates, proposed, require
from masthead.approval.publications import PublicationWay
from masthead.auth.caller import Caller
from masthead.db.bulk_rows import index_rows
from masthead.references.checking import Targets, Wanted, declared_for, wanted_ids
from masthead.references.fields import references_of
from masthead.resources.bulk_insert import CELLS, LINE
from masthead.resources.csv_report import CsvReport
from masthead.resources.declaration import Resource

_AT_ONCE = 500
"""The number of items that plugins are asked about together, and of rows per statement."""
_NOT_TRIED = "Not tried after objections to many rows before; import it again"


def can_refuse(resource: Resource) -> bool:
    """Whether rows of a resource can be refused after they are staged."""
    return resource.becomes_public or any(references_of(resource.fields))


@dataclass
class StagedChecks:
    """The checks of staged rows; a refused row is reported, and deleted."""

    resource: Resource
    table: Table
    """The temporary table."""
    report: CsvReport
    write_refused: Callable[[str, Sequence[str]], None]
    """Write the reason and the cells of a row."""
    caller: Caller | None
    """The user who imports the file."""
    objections: int = 0
    """The number of new items to which plugins have objected."""

    def check_references(self, session: Session) -> None:
        """Refuse the rows that refer to items that don't exist, and lock the others."""
        declared, columns = declared_for(session), self.table.c
        referring = [columns[it.field.attribute] for it in references_of(self.resource.fields)]
        if declared is None or not referring:
            return
        filled = or_(*(column.is_not(None) for column in referring))
        rows = select(columns.number, *referring).where(filled).order_by(columns.number)
        read = (each for _, wanted in self._referring(session, rows) for each in wanted)
        targets = Targets(session, declared, read)
        reasons = dict[int, str]()
        for number, wanted in self._referring(session, rows):
            if problem := next(targets.problems(wanted), None):
                reasons[number] = str(problem)
        self._refuse(session, "number", reasons)

    def asks(self, session: Session) -> bool:
        """Whether plugins are asked about the items."""
        return self.resource.becomes_public and has_gates(session)

    def prepare(self, session: Session) -> None:
        """Prepare to ask the plugins, before rows get ids."""
        if self.asks(session):
            # So that neither a part of the items nor a refusal scans the table.
            index_rows(session, self.table.c.id)

    def ask(self, session: Session, last: int) -> int:
        """Ask the plugins about the new items, and delete those to which they object.

        :param last: asks about items with greater ids only.
        :returns: the number of the deleted items.
        """
        if not self.asks(session):
            return 0
        model, staged_id = self.resource.model, self.table.c.id
        refused: dict[Any, str] = {}
        new = select(model).join(self.table, model.id == staged_id)
        for items in self._public(session, new, [staged_id, model.id], last):
            candidates = proposed(session, self.resource, items, applied=True)
            found = ask(session, candidates, PublicationWay.IMPORT, self.caller)
            refused |= {item_id: refusal.message for item_id, refusal in found.items()}
        for ids in _parts(list(refused)):
            session.execute(delete(model).where(model.id.in_(ids)))
        self._refuse(session, "id", refused)
        self.objections += len(refused)
        return len(refused)

    def give_up(self, session: Session, rows: ColumnElement[bool]) -> None:
        """Refuse the staged rows that meet a condition, without asking."""
        numbers = session.scalars(select(self.table.c.number).where(rows)).all()
        self._refuse(session, "number", dict.fromkeys(numbers, _NOT_TRIED))

    def require_updated(self, session: Session, moment: datetime) -> None:
        """Ask the plugins about the existing items that the import has changed.

        :param moment: the time of the import.
        :raises Refused: with the objections to the first item that has some.
        """
        if self.asks(session):
            model = self.resource.model
            is_new = exists().where(self.table.c.id == model.id)
            changed = select(model).where(model.updated_at == moment, ~is_new)
            for items in self._public(session, changed, [model.id]):
                candidates = proposed(session, self.resource, items, applied=True)
                require(session, candidates, PublicationWay.IMPORT, self.caller)

    def _referring(self, session: Session, rows: Select[Any]) -> Iterator[tuple[int, list[Wanted]]]:
        references = list(references_of(self.resource.fields))
        for number, *values in session.execute(rows).yield_per(_AT_ONCE):
            pairs = zip(references, values, strict=True)
            yield number, [each for it, value in pairs for each in wanted_ids(it, value)]

    def _public(
        self,
        session: Session,
        selected: Select[Any],
        ids: Sequence[ColumnElement[int]],
        last: int = 0,
    ) -> Iterator[list[Any]]:
        """Yield the selected items that the public sees, in parts.

        :param ids: the columns of their ids in each joined table, all of which are bounded: a join
            on PostgreSQL may read a table in the order of the ids, for each part.
        :param last: selects items with greater ids only.
        """
        rows = selected.order_by(ids[0]).limit(_AT_ONCE)
        while items := session.scalars(rows.where(*(each > last for each in ids))).all():
            last = items[-1].id
            if public := [item for item in items if self.resource.is_public(item)]:
                yield public
            for item in items:
                session.expunge(item)

    def _refuse(self, session: Session, name: str, reasons: Mapping[Any, str]) -> None:
        """Report rows, and delete them from the temporary table.

        :param name: the column with the keys of the reasons.
        """
        columns = self.table.c
        for keys in _parts(list(reasons)):
            named = columns[name].in_(keys)
            rows = select(columns[name], columns[LINE], columns[CELLS]).where(named)
            for key, line, cells in session.execute(rows.order_by(columns.number)):
                self.report.refuse(line, reasons[key])
                self.write_refused(reasons[key], cells or ())
            session.execute(delete(self.table).where(named))


def _parts(keys: Sequence[Any]) -> Iterator[Collection[Any]]:
    for start in range(0, len(keys), _AT_ONCE):
        yield keys[start : start + _AT_ONCE]
