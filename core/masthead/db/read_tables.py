"""The tables that a computation reads: noted from the statements that the database executes.

The compiler of each statement notes the tables in it, so neither a view nor a plugin declares any.
Textual SQL doesn't tell its tables. Unless the execution option :data:`READS` of the text names
them, a computation that executes it counts as one that reads unknown tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any

from sqlalchemy import Engine, event
from sqlalchemy.sql.compiler import SQLCompiler

Tables = frozenset[str] | None
"""The names of tables; None if they aren't known."""
READS = "masthead_reads"
"""The execution option of a text that names the tables that it reads, as a collection."""

_NONE: frozenset[str] = frozenset()
_READING = re.compile(r"\b(select|from|join|table|call|execute|fetch)\b", re.IGNORECASE)
_HARMLESS = ("BEGIN", "SET ")
"""The first words of the statements without a compiler that read no table."""


class Reads:
    """The tables that a computation has read so far."""

    def __init__(self) -> None:
        self.tables: Tables = _NONE

    def add(self, tables: Tables) -> None:
        """Add tables; None makes all of them unknown."""
        if self.tables is not None:
            self.tables = None if tables is None else self.tables | tables


_current: ContextVar[Reads | None] = ContextVar("masthead_reads", default=None)
_of_driver_sql: dict[str, Tables] = {}


@contextmanager
def noted_reads() -> Iterator[Reads]:
    """Note the tables that the block reads in this thread; an outer block notes them, too."""
    outer, reads = _current.get(), Reads()
    reset = _current.set(reads)
    try:
        yield reads
    finally:
        _current.reset(reset)
        if outer is not None:
            outer.add(reads.tables)


def note_reads(tables: Tables) -> None:
    """Note tables that a value depends on which was read earlier."""
    reads = _current.get()
    if reads is not None:
        reads.add(tables)


def note_driver_sql(sql: str, compiled: SQLCompiler) -> None:
    """Remember the tables of a compiled statement that the driver executes as text."""
    _of_driver_sql[sql] = getattr(compiled, "read_tables", None)


def track_reads(engine: Engine) -> None:
    """Note the tables of all statements that the engine executes."""
    compiler: Any = engine.dialect.statement_compiler
    engine.dialect.statement_compiler = _tracking(compiler)
    event.listen(engine, "after_cursor_execute", _note)


@cache
def _tracking(compiler: Any) -> Any:
    return type(f"Tracking{compiler.__name__}", (_Tracking, compiler), {})


class _Tracking:
    """A part of a compiler that notes the tables of its statement."""

    read_tables: Tables = _NONE

    # The names and arguments are those of SQLAlchemy's compiler.
    def visit_table(self, table: Any, asfrom: bool = False, **options: Any) -> Any:
        if asfrom and self.read_tables is not None:
            self.read_tables = self.read_tables | {table.name}
        return super().visit_table(table, asfrom=asfrom, **options)  # type: ignore[misc]  # of the compiler

    def visit_textclause(self, textclause: Any, *arguments: Any, **options: Any) -> Any:
        named = textclause.get_execution_options().get(READS)
        self._note_text(textclause.text, named)
        return super().visit_textclause(textclause, *arguments, **options)  # type: ignore[misc]  # of the compiler

    def visit_column(self, column: Any, *arguments: Any, **options: Any) -> Any:
        if column.is_literal:
            self._note_text(column.name, None)
        return super().visit_column(column, *arguments, **options)  # type: ignore[misc]  # of the compiler

    def _note_text(self, sql: str, named: Any) -> None:
        if named is None and _READING.search(sql):
            self.read_tables = None
        elif named and self.read_tables is not None:
            self.read_tables = self.read_tables | set(named)


def _note(
    _connection: Any, _cursor: Any, statement: str, _parameters: Any, context: Any, _many: bool
) -> None:
    reads = _current.get()
    if reads is None:
        return
    if context.compiled is not None:
        reads.add(getattr(context.compiled, "read_tables", None))
    elif not statement.startswith(_HARMLESS):
        reads.add(_of_driver_sql.get(statement))
