"""Column types, and times: aware, in UTC, with milliseconds, equal on both databases."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import TIMESTAMP, BigInteger, ColumnElement, Dialect, Integer, Text
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeDecorator, TypeEngine

ID = BigInteger().with_variant(Integer(), "sqlite")
"""A 64-bit integer; SQLite's INTEGER has 64 bits too."""
KEY = Text().with_variant(Text(collation="C"), "postgresql")
"""Text that is compared by code points, so that both databases sort it alike."""

CLOCK_SKEW = timedelta(minutes=1)
"""The tolerated difference between the clocks of several machines. A stored time further in the
future means that this machine's clock has been set back."""


def utcnow() -> datetime:
    """Return the current time: aware, in UTC, truncated to milliseconds as columns store it."""
    now = datetime.now(UTC)
    return now.replace(microsecond=now.microsecond // 1000 * 1000)


def utc_text(moment: datetime) -> str:
    """Return an aware ``moment`` as ``2026-03-01T09:30:00.000Z``; ValueError if it is naive."""
    if moment.utcoffset() is None:
        raise ValueError(f"{moment!r} has no time zone")
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"


class UTCDateTime(TypeDecorator[datetime]):
    """An aware datetime, truncated to milliseconds and returned in UTC.

    A naive value raises ValueError, which SQLAlchemy wraps in a StatementError. On SQLite the
    column is TEXT in the format of the API, which sorts chronologically. On PostgreSQL it is
    TIMESTAMP WITH TIME ZONE.
    """

    impl = TIMESTAMP(timezone=True)
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Choose the column type of the database."""
        if dialect.name == "sqlite":
            return dialect.type_descriptor(Text())
        return dialect.type_descriptor(TIMESTAMP(timezone=True))

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> Any:
        """Convert a value to its stored form."""
        if value is None:
            return None
        text = utc_text(value)
        return text if dialect.name == "sqlite" else datetime.fromisoformat(text)

    # The arguments are those of SQLAlchemy's TypeDecorator.
    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Convert a stored value to an aware datetime."""
        if value is None:
            return None
        moment: datetime = datetime.fromisoformat(value) if isinstance(value, str) else value
        return moment.astimezone(UTC)


class wire_time(FunctionElement[str]):  # noqa: N801 - it is used like a SQL function
    """``wire_time(column)``: a UTCDateTime column as text in the API's format.

    The database formats it, so lists and JSON aggregates need no datetime objects.
    """

    name = "wire_time"
    inherit_cache = True
    type = Text()

    def __init__(self, column: ColumnElement[datetime] | Any) -> None:
        super().__init__(column)


@compiles(wire_time, "sqlite")
def _stored_text(element: wire_time, compiler: SQLCompiler, **options: Any) -> str:
    return compiler.process(element.clauses, **options)


@compiles(wire_time, "postgresql")
def _formatted_text(element: wire_time, compiler: SQLCompiler, **options: Any) -> str:
    column = compiler.process(element.clauses, **options)
    return f"""to_char({column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')"""


class by_code_points(FunctionElement[str]):  # noqa: N801 - it is used like a SQL function
    """``by_code_points(column)``: text that both databases sort alike, in any locale."""

    name = "by_code_points"
    inherit_cache = True
    type = Text()

    def __init__(self, column: ColumnElement[str] | Any) -> None:
        super().__init__(column)


@compiles(by_code_points, "sqlite")
def _plain(element: by_code_points, compiler: SQLCompiler, **options: Any) -> str:
    return compiler.process(element.clauses, **options)


@compiles(by_code_points, "postgresql")
def _collated(element: by_code_points, compiler: SQLCompiler, **options: Any) -> str:
    return f'{compiler.process(element.clauses, **options)} COLLATE "C"'
