"""The tables that a transaction changes for the public.

A write of a table counts, unless the table is declared private (``info=PRIVATE``) or the statement
says that the public doesn't see its effect: a forgotten declaration costs a cache miss, never a
stale answer. A row that the database itself deletes or changes with a deleted one counts, too.

The writes of a table whose items decide themselves whether they count, such as those of content,
are judged one by one: between ``begin_judging`` and ``end_judging``, the statements with which
SQLAlchemy writes its objects don't count, and the judge calls ``touch``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, Delete, Engine, Insert, MetaData, Table, event
from sqlalchemy.sql.dml import UpdateBase

from masthead.db.changed_rows import PART_OF, forget_rows, note_rows
from masthead.db.read_tables import Tables

PRIVATE = {"private": True}
"""The ``info`` of a table whose rows no public answer depends on."""
PRIVATE_NEW = {"private_new": True}
"""The ``info`` of a table whose new rows change no public answer, for example because nothing can
refer to a row before it exists."""
UNSEEN = {"masthead_unseen": True}
"""The execution options of a statement whose effect the public doesn't see."""

_CHANGED, _JUDGED = "masthead.changed_tables", "masthead.judged_tables"


def touch(connection: Connection, *tables: str) -> None:
    """Mark the transaction as one that changes what the public sees.

    Call it after a write by textual SQL, and after one of a private table that shows after all.

    :param tables: the names of the changed tables; without any, all may have changed.
    """
    known = connection.info.get(_CHANGED, set())
    connection.info[_CHANGED] = known | set(tables) if tables and known is not None else None


def seen_if(condition: bool) -> dict[str, bool]:
    """Return the execution options of a statement whose effect the public sees on a condition."""
    return {} if condition else UNSEEN


def touch_time(connection: Connection) -> None:
    """Mark the transaction as one that changes only the time at which something will change."""
    connection.info.setdefault(_CHANGED, set())


def changed_tables(connection: Connection) -> Tables:
    """Return the public tables that the transaction has changed so far.

    They are empty if nothing that the public sees has changed. Flush the session before.

    :returns: their names, or None if any table may have changed.
    """
    known: set[str] | None = connection.info.get(_CHANGED, set())
    return None if known is None else frozenset(known)


def take_changed(connection: Connection) -> tuple[bool, Tables]:
    """Forget the changes of a transaction that ends.

    :returns: whether there were any, and the changed tables.
    """
    found = (_CHANGED in connection.info, changed_tables(connection))
    for key in (_CHANGED, _JUDGED):
        connection.info.pop(key, None)
    forget_rows(connection)
    return found


def begin_judging(connection: Connection, table: str) -> None:
    """Begin to write an object whose change is judged."""
    judged = connection.info.setdefault(_JUDGED, {})
    judged[table] = judged.get(table, 0) + 1


def end_judging(connection: Connection, table: str) -> None:
    """End the writing of an object whose change was judged."""
    judged = connection.info.get(_JUDGED, {})
    if judged.get(table):
        judged[table] -= 1


class ChangedTables:
    """Notes the tables that each transaction of an engine changes.

    :param metadata: the tables of the instance, whose foreign keys tell the effects of a deletion.
    """

    def __init__(self, engine: Engine, metadata: Iterable[MetaData]) -> None:
        self._metadata = list(metadata)
        self._deleted_with: dict[str, list[Table]] = {}
        event.listen(engine, "after_execute", self._note)
        event.listen(engine, "rollback", _forget_all)
        event.listen(engine, "rollback_savepoint", _forget_judged)

    def _note(
        self, connection: Connection, statement: Any, many: Any, one: Any, options: Any, _: Any
    ) -> None:
        if not isinstance(statement, UpdateBase):
            return
        table = statement.table
        if not isinstance(table, Table):
            touch(connection)
            return
        changed = [table]
        if isinstance(statement, Delete):
            changed += self._changed_with(table)
        note_rows(connection, statement, many, one, changed[1:])
        if _is_unseen(connection, statement, table, options):
            own = table.name
            changed = [t for t in changed if own not in (t.name, t.info.get(PART_OF))]
        public = [each.name for each in changed if not each.info.get("private")]
        if public:
            touch(connection, *public)

    def _changed_with(self, table: Table) -> list[Table]:
        """Return the tables whose rows a deletion in ``table`` deletes or changes."""
        found = self._deleted_with.get(table.name)
        if found is None:
            found, waiting = [], [table]
            while waiting:
                new = [each for each in self._referring(waiting.pop()) if each not in found]
                found += new
                waiting += new
            self._deleted_with[table.name] = found
        return found

    def _referring(self, table: Table) -> list[Table]:
        return [
            each
            for metadata in self._metadata
            for each in metadata.tables.values()
            if any(
                key.ondelete and key.target_fullname.rpartition(".")[0] == table.name
                for key in each.foreign_keys
            )
        ]


def _forget_all(connection: Connection) -> None:
    # A lost connection has lost its marks too, and asking for them would raise an exception.
    if not connection.invalidated:
        take_changed(connection)


def _forget_judged(connection: Connection, *_: Any) -> None:
    # A flush that failed has judged only a part of its objects.
    if not connection.invalidated:
        connection.info.pop(_JUDGED, None)


def _is_unseen(connection: Connection, statement: UpdateBase, table: Table, options: Any) -> bool:
    if options.get("masthead_unseen"):
        return True
    if isinstance(statement, Insert) and table.info.get("private_new"):
        return True
    # Only the statements of a flush have this option, and bulk statements that no judge sees are
    # executed outside of it.
    judged = connection.info.get(_JUDGED)
    return bool(judged and judged.get(table.name) and "compiled_cache" in options)
