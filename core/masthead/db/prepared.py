"""Statements that are compiled once, for frequent reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from sqlalchemy import Connection, Dialect, Executable
from sqlalchemy.sql.compiler import SQLCompiler

from masthead.db.read_tables import note_driver_sql


class _Compiled(NamedTuple):
    sql: str
    order: Sequence[str] | None
    """The names of the parameters in order if the driver expects them by position."""
    defaults: Mapping[str, Any]
    processors: Mapping[str, Callable[[Any], Any]]
    """The functions that convert values for the driver, by parameter."""


class Prepared:
    """A statement that is compiled once and executed by the driver.

    Looking a statement up in SQLAlchemy's cache and converting its rows costs as much as a short
    query itself. The rows that this class returns aren't converted.
    """

    def __init__(self, statement: Executable, dialect: Dialect) -> None:
        self._statement = statement
        self._dialect = dialect

    def one(self, connection: Connection, known: Mapping[str, Any]) -> tuple[Any, ...]:
        """Execute the statement with values for its parameters, and return its only row."""
        sql, order, defaults, processors = self._compiled
        values = dict(defaults)
        for name, value in known.items():
            process = processors.get(name)
            values[name] = value if process is None else process(value)
        given = values if order is None else tuple(values[name] for name in order)
        return tuple(connection.exec_driver_sql(sql, given).one())

    @cached_property
    def _compiled(self) -> _Compiled:
        """The compiled statement; compiled at first use because an app never uses many of them."""
        # Executable declares no compile(), though every statement has it.
        compiled = self._statement.compile(dialect=self._dialect)  # type: ignore[attr-defined]
        assert isinstance(compiled, SQLCompiler)
        note_driver_sql(str(compiled), compiled)
        processors = {
            name: process
            for name, bind in compiled.binds.items()
            if (process := bind.type.dialect_impl(self._dialect).bind_processor(self._dialect))
        }
        defaults = {
            name: processors[name](value) if name in processors else value
            for name, value in compiled.construct_params(_check=False).items()
        }
        return _Compiled(str(compiled), compiled.positiontup, defaults, processors)
