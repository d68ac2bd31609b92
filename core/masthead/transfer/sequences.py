"""Sequences of ids: after an import, too, no id is used twice."""

from __future__ import annotations

from sqlalchemy import Column, Table, func, select, text
from sqlalchemy.orm import Session

_SEQUENCE = "pg_get_serial_sequence(:table, :column)"
_LAST = {
    "sqlite": text("SELECT seq FROM sqlite_sequence WHERE name = :table"),
    "postgresql": text(f"SELECT pg_sequence_last_value(CAST({_SEQUENCE} AS regclass))"),
}
_FORGET = text("DELETE FROM sqlite_sequence WHERE name = :table")
_REMEMBER = {
    "sqlite": text("INSERT INTO sqlite_sequence (name, seq) VALUES (:table, :last)"),
    "postgresql": text(f"SELECT setval(CAST({_SEQUENCE} AS regclass), :last)"),
}


def last_id(session: Session, table: Table) -> int | None:
    """Return the largest id that a row ever had; None if there was none or ids aren't generated."""
    column = _counted(session, table)
    if column is None:
        return None
    dialect = session.get_bind().dialect.name
    names = {"table": table.name}
    if dialect == "postgresql":
        names["column"] = column.name
    last: int | None = session.scalar(_LAST[dialect], names)
    return last


def restart_sequence(session: Session, table: Table, last: int | None) -> None:
    """Let the table generate ids that are larger than those of all rows and than ``last``."""
    column = _counted(session, table)
    if column is None:
        return
    largest = max(session.scalar(select(func.max(column))) or 0, last or 0)
    if largest < 1:
        return
    dialect = session.get_bind().dialect.name
    values: dict[str, str | int] = {"table": table.name, "last": largest}
    if dialect == "sqlite":
        session.execute(_FORGET, {"table": table.name})
    else:
        values["column"] = column.name
    session.execute(_REMEMBER[dialect], values)


def _counted(session: Session, table: Table) -> Column[int] | None:
    """Return the column whose ids the database generates without reuse; None if there is none."""
    column = table.autoincrement_column
    if session.get_bind().dialect.name == "postgresql":
        return column
    return column if table.dialect_options["sqlite"]["autoincrement"] else None
