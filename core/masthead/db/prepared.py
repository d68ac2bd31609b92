"""Statements that are compiled once, for reads that are asked for all the time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Dialect, Executable
from sqlalchemy.sql.compiler import SQLCompiler

__all__ = ["Prepared"]


class Prepared:
    """A statement as the driver takes it.

    Finding a statement in SQLAlchemy's cache and converting what it returns costs as much as a
    short query itself. What this returns is as the driver gives it.
    """

    def __init__(self, statement: Executable, dialect: Dialect) -> None:
        compiled = statement.compile(dialect=dialect)  # type: ignore[attr-defined]  # all have it
        assert isinstance(compiled, SQLCompiler)
        self._sql = str(compiled)
        self._order = compiled.positiontup
        defaults = compiled.construct_params(_check=False)
        processors = {
            name: bind.type.dialect_impl(dialect).bind_processor(dialect)
            for name, bind in compiled.binds.items()
        }
        self._processors = {name: p for name, p in processors.items() if p is not None}
        self._defaults = {name: self._processed(name, v) for name, v in defaults.items()}

    def one(self, connection: Connection, known: Mapping[str, Any]) -> tuple[Any, ...]:
        """Run it with the parameters that it was built to be given, for its only row."""
        values = self._defaults | {name: self._processed(name, v) for name, v in known.items()}
        by_position = self._order is not None
        given = tuple(values[name] for name in self._order or ()) if by_position else values
        return tuple(connection.exec_driver_sql(self._sql, given).one())

    def _processed(self, name: str, value: Any) -> Any:
        process = self._processors.get(name)
        return value if process is None else process(value)
