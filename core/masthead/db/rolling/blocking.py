"""Observation of the statements of a revision on PostgreSQL: none may block a table for long.

The tables are empty, so the time that a statement takes says nothing. Instead the catalogues of
PostgreSQL show what each statement did, and the plan shows which rows it reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, event

from masthead.db.rolling.findings import Finding

_DML = re.compile(r"\b(?:UPDATE|DELETE\s+FROM|INSERT\s+INTO|COPY)\s+(?:ONLY\s+)?\"?(\w+)", re.I)
_ROWS = re.compile(r"\b(?:UPDATE|INTO|FROM|JOIN|COPY)\s+(?:ONLY\s+)?\"?(\w+)", re.I)
_DDL = re.compile(r"\s*(?:ALTER|CREATE|DROP|COMMENT)\b", re.I)
_SCANS = ("Seq Scan", "Index Scan", "Index Only Scan")
_TABLES = """
SELECT oid, relname, relfilenode FROM pg_class
WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
  AND relname NOT LIKE 'alembic_version%' AND relname <> 'core_kit_table'
"""
_INDEXES = "SELECT indexrelid, indrelid, indexrelid::regclass::text FROM pg_index"
_CONSTRAINTS = """
SELECT oid, conrelid, conname, contype::text, convalidated, conkey FROM pg_constraint
WHERE contype IN ('c', 'f') AND conrelid <> 0
"""
_COLUMNS = "SELECT attrelid, attnum, atthasdef FROM pg_attribute WHERE attnum > 0"
_LOCKS = """
SELECT DISTINCT relation FROM pg_locks
WHERE pid = pg_backend_pid() AND locktype = 'relation' AND granted AND mode IN
  ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
"""


@dataclass(frozen=True)
class _Catalogues:
    """The state of the database after a statement."""

    files: dict[int, tuple[str, int]]
    """The name and the file of each table by its number."""
    indexes: dict[int, tuple[int, str]]
    """The table and the name of each index by its number."""
    constraints: dict[int, tuple[int, str, str, bool, tuple[int, ...]]]
    """The table, name, kind, validity and columns of each check and foreign key."""
    columns: dict[tuple[int, int], bool]
    """Whether each column has a default."""
    locked: frozenset[int]
    """The tables that the transaction has locked against writers."""


class Blocking:
    """The findings about the statements of one connection."""

    def __init__(self, connection: Connection) -> None:
        driver: Any = connection.connection.dbapi_connection
        self._driver = driver
        # The planner then reads a whole table only if no index leads to the rows.
        self._driver.execute("SET enable_seqscan = off; SET enable_bitmapscan = off")
        self._driver.commit()
        self._existing: dict[int, str] = {}
        self._before: _Catalogues = self._read()
        self._found: list[Finding] = []

    @contextmanager
    def watching(self, connection: Connection) -> Iterator[list[Finding]]:
        """Yield the list of findings about the statements of the block."""
        self._before, self._found = self._read(), []
        self._driver.rollback()
        self._existing = {number: name for number, (name, _) in self._before.files.items()}
        event.listen(connection, "before_cursor_execute", self._plan)
        event.listen(connection, "after_cursor_execute", self._compare)
        try:
            yield self._found
        finally:
            event.remove(connection, "before_cursor_execute", self._plan)
            event.remove(connection, "after_cursor_execute", self._compare)

    def _plan(self, _connection: Any, _cursor: Any, statement: str, given: Any, *_: Any) -> None:
        """Explain a statement that changes rows, before it is executed."""
        if _DML.search(statement) is None or _DDL.match(statement) or self._driver.autocommit:
            return
        parameters = given[0] if isinstance(given, list) else given
        [[plan]] = self._driver.execute(f"EXPLAIN (FORMAT JSON) {statement}", parameters or None)
        for table in _read_wholly(plan[0]["Plan"]):
            if table in self._existing.values():
                self._note("all-rows", f"reads all rows of {table} in one statement: {statement}")

    def _compare(self, _connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        before, after = self._before, self._read()
        self._before = after
        for number, name in self._existing.items():
            if number in after.files and after.files[number][1] != before.files[number][1]:
                self._note("rewrite", f"rewrites the table {name}: {statement}")
        for number in after.indexes.keys() - before.indexes.keys():
            table, name = after.indexes[number]
            if table in self._existing and not re.search("CONCURRENTLY", statement, re.I):
                self._note("index", f"builds the index {name} while writers wait: {statement}")
        validated = any(self._validates(number, before, after) for number in after.constraints)
        if not self._driver.autocommit:
            self._compare_locks(statement, before, after, validated)

    def _validates(self, number: int, before: _Catalogues, after: _Catalogues) -> bool:
        """Whether the statement checks a constraint for the rows of an existing table."""
        table, name, kind, is_valid, columns = after.constraints[number]
        known = before.constraints.get(number)
        if table not in self._existing or not is_valid or (known and known[3]):
            return False
        if known is None:
            # A new column without a default refers to nothing, so PostgreSQL reads no rows.
            empty = [(table, n) not in before.columns for n in columns]
            defaults = [after.columns[table, n] for n in columns]
            if kind == "f" and all(empty) and not any(defaults):
                return False
            text = f"checks the rows of {self._existing[table]} for {name} while it is locked"
            self._note("validation", text)
        return True

    def _compare_locks(
        self, statement: str, before: _Catalogues, after: _Catalogues, validated: bool
    ) -> None:
        held = sorted(self._existing[n] for n in before.locked if n in self._existing)
        used = set() if _DDL.match(statement) else {*_ROWS.findall(statement)}
        is_known = not used.isdisjoint(self._existing.values())
        if held and (is_known or (validated and "VALIDATE" in statement.upper())):
            tables = ", ".join(held)
            self._note("rows-under-lock", f"processes rows while {tables} is locked: {statement}")
        if not _DDL.match(statement):
            for number in (after.locked - before.locked) & self._existing.keys():
                self._note("lock", f"locks {self._existing[number]}: {statement}")

    def _note(self, rule: str, text: str) -> None:
        self._found.append(Finding(rule, " ".join(text.split())[:300]))

    def _read(self) -> _Catalogues:
        def rows(query: str) -> list[Any]:
            found: list[Any] = self._driver.execute(query).fetchall()
            return found

        return _Catalogues(
            {number: (name, file) for number, name, file in rows(_TABLES)},
            {number: (table, name) for number, table, name in rows(_INDEXES)},
            {
                n: (table, name, kind, valid, tuple(keys))
                for n, table, name, kind, valid, keys in rows(_CONSTRAINTS)
            },
            {(table, number): default for table, number, default in rows(_COLUMNS)},
            frozenset(number for (number,) in rows(_LOCKS)),
        )


def _read_wholly(plan: dict[str, Any]) -> Iterator[str]:
    """Yield the tables that a plan reads from the first to the last row."""
    if plan["Node Type"] == "Limit":
        return
    if plan["Node Type"] in _SCANS and "Index Cond" not in plan:
        yield plan["Relation Name"]
    for part in plan.get("Plans", ()):
        yield from _read_wholly(part)
