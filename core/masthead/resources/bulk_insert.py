"""Inserting many items of a resource by a few statements, from rows in a temporary table."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import datetime
from typing import Any, Protocol

from sqlalchemy import (
    JSON,
    Column,
    ColumnElement,
    Executable,
    MetaData,
    Select,
    Table,
    Text,
    exists,
    false,
    func,
    insert,
    literal,
    or_,
    select,
    update,
)
from sqlalchemy.orm import InstrumentedAttribute, Session

from masthead.db import ID, UTCDateTime
from masthead.db.changed_tables import PRIVATE
from masthead.db.locking import lock
from masthead.db.new_ids import last_id
from masthead.db.upsert import insert_into
from masthead.references.fields import references_of
from masthead.references.recording import record_new
from masthead.resources.callbacks import note_after_commit
from masthead.resources.declaration import Resource
from masthead.resources.noted_changes import note_new_items
from masthead.search.bulk import index_new_items

Attribute = InstrumentedAttribute[Any]
Condition = Callable[[ColumnElement[Any]], ColumnElement[bool]]

LINE, CELLS = "_line", "_cells"
"""The columns of the temporary table with the line and the cells of a row, for its refusal."""
_ATTEMPTS = 10
"""How often rows are inserted: at first, and then in place of refused ones."""


class Checks(Protocol):
    """The checks of new items."""

    def ask(self, session: Session, last: int) -> int:
        """Delete the items that must not stay, with their staged rows.

        :param last: asks about items with greater ids only.
        :returns: the number of deleted items.
        """

    def give_up(self, session: Session, rows: ColumnElement[bool]) -> None:
        """Refuse the staged rows that meet a condition, without asking."""


class BulkInsert:
    """The statements that turn staged rows into items.

    A row is skipped where an item or an earlier row has the same value of ``unique``, unless the
    checks refuse the earlier row. Rows without such a value are all inserted.
    """

    def __init__(
        self,
        resource: Resource,
        unique: Attribute,
        derived: Collection[Attribute],
        links: Collection[Attribute],
        taken: Condition | None,
        *,
        row_key: Attribute | None = None,
        refusable: bool = False,
    ) -> None:
        self._resource = resource
        self._model = resource.model
        self._unique = unique
        self._links = links
        self._taken = taken or (lambda _value: false())
        self._row_key = row_key
        self.names = [f.attribute for f in resource.fields] + [each.key for each in derived]
        """The model's columns that rows fill, in the order of their values."""
        types = resource.model.__table__.c
        tokens = ("tokens", "runs") if resource.search_fields else ()
        self.table = Table(
            f"{resource.model.__table__.name}_staged",
            MetaData(),
            Column("number", ID, primary_key=True, autoincrement=False),
            Column("id", ID),
            *((Column(LINE, ID), Column(CELLS, JSON)) if refusable else ()),
            *(Column(name, types[name].type) for name in self.names),
            *(Column(link.key, JSON) for link in links),
            *(Column(name, Text) for name in tokens),
            prefixes=["TEMPORARY"],
            info=PRIVATE,
        )
        """The staged rows in the order of their numbers; only those that become items get an id."""
        self._has_id = self.table.c.id.is_not(None)
        self._value = self.table.c[unique.key]

    def count_new(self, session: Session) -> int:
        """Return the number of staged rows that would become items."""
        known = exists().where(self._unique == self._value) | self._taken(self._value)
        values = select(func.count(self._value.distinct())).where(~known)
        rows = select(func.count()).select_from(self.table).where(self._value.is_(None))
        if self._row_key is not None:
            key = self.table.c[self._row_key.key]
            rows = rows.where(~exists().where(self._row_key == key))
        return (session.scalar(values) or 0) + (session.scalar(rows) or 0)

    def insert_new(self, session: Session, moment: datetime, checks: Checks) -> int:
        """Insert the items with their links, references and rows of the search index.

        :param moment: when they are created.
        :param checks: refuse some of them.
        :returns: the number of items.
        """
        # Two imports of the same items in different orders would deadlock.
        lock(session, f"{self._resource.name}.import")
        values = self._item_values(moment)
        inserted = self._insert_accepted(session, values, checks)
        for link in self._links:
            session.execute(self._insert_links(session, link, values))
        if self._resource.search_fields:
            index_new_items(session, self._resource, self._select("id", "tokens", "runs"))
        self._note(session)
        return inserted

    def _insert_accepted(
        self, session: Session, values: dict[str, ColumnElement[Any]], checks: Checks
    ) -> int:
        """Insert the items that the checks accept, and return their number."""
        free = self._value.is_(None) | ~self._taken(self._value)
        rows, inserted, last = free, 0, 0
        for _ in range(_ATTEMPTS):
            inserted += self._insert_rows(session, values, rows, last)
            refused = checks.ask(session, last)
            if not refused:
                return inserted
            inserted -= refused
            # Some rows had conflicts only with items that are deleted now.
            rows = ~self._has_id & free & ~self._is_stored()
            last = session.scalar(select(func.max(self.table.c.id))) or 0
        checks.give_up(session, rows)
        return inserted

    def _insert_rows(
        self,
        session: Session,
        values: dict[str, ColumnElement[Any]],
        rows: ColumnElement[bool],
        last: int,
    ) -> int:
        """Insert the items of staged rows that have no conflict, with ids above ``last``."""
        numbered = _count(session, self._assign_ids(session, rows))
        inserted = _count(session, self._insert_items(session, values, last))
        if inserted < numbered:
            # Not by NOT IN: on PostgreSQL its time is quadratic if the ids don't fit into memory.
            stored = exists().where(self._model.id == self.table.c.id)
            skipped = (self.table.c.id > last) & ~stored
            session.execute(update(self.table).where(skipped).values(id=None))
        return inserted

    def _is_stored(self) -> ColumnElement[bool]:
        """Return the condition that an item has the unique value or the key of a staged row."""
        keys = [self._unique] if self._row_key is None else [self._unique, self._row_key]
        return or_(*(exists().where(key == self.table.c[key.key]) for key in keys))

    def _note(self, session: Session) -> None:
        """Note the new items for those that learn of others by the flush that writes them."""
        resource = self._resource
        if names := [it.field.attribute for it in references_of(resource.fields)]:
            record_new(session, resource.name, session.execute(self._select("id", *names)))
        if resource.public_values is not None or resource.after_commit is not None:
            ids = session.scalars(self._select("id")).all()
            note_new_items(session, self._model, ids)
            note_after_commit(session, resource, ids)

    def _assign_ids(self, session: Session, rows: ColumnElement[bool]) -> Executable:
        if _on_postgresql(session):
            sequence = func.pg_get_serial_sequence(self._model.__table__.name, "id")
            next_id: ColumnElement[Any] = func.nextval(sequence)
        else:
            next_id = self.table.c.number + last_id(session, self._model)
        return update(self.table).where(rows).values(id=next_id)

    def _item_values(self, moment: datetime) -> dict[str, ColumnElement[Any]]:
        now = literal(moment, UTCDateTime())
        staged = {name: self.table.c[name] for name in ("id", *self.names)}
        return {**staged, "revision": literal(1), "created_at": now, "updated_at": now}

    def _insert_items(
        self, session: Session, values: dict[str, ColumnElement[Any]], last: int
    ) -> Executable:
        rows = select(*values.values()).where(self.table.c.id > last).order_by(self.table.c.number)
        into = insert_into(session, self._model).from_select(list(values), rows)
        statement: Executable = into.on_conflict_do_nothing()
        return statement

    def _insert_links(
        self, session: Session, link: Attribute, values: dict[str, ColumnElement[Any]]
    ) -> Executable:
        expand = func.json_array_elements_text if _on_postgresql(session) else func.json_each
        linked = expand(self.table.c[link.key]).table_valued("value")
        columns = link.class_.__table__.c.keys()
        copied = [name for name in columns if name in values.keys() - {"id", link.key}]
        rows = (
            select(self.table.c.id, linked.c.value, *(values[name] for name in copied))
            .select_from(self.table)
            .join(linked, literal(value=True))
            .where(self._has_id)
        )
        return insert(link.class_).from_select(["item_id", link.key, *copied], rows)

    def _select(self, *names: str) -> Select[Any]:
        return select(*(self.table.c[name] for name in names)).where(self._has_id)


def _on_postgresql(session: Session) -> bool:
    return session.get_bind().dialect.name == "postgresql"


def _count(session: Session, statement: Executable) -> int:
    result = session.execute(statement, execution_options={"preserve_rowcount": True})
    count: int = result.rowcount  # type: ignore[attr-defined]  # a cursor result has it
    return count
