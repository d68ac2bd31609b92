"""The column type of exact decimal numbers, which compare, sort and add up alike on both databases.

See ``docs/decisions/0030-decimals.md``.
"""

from __future__ import annotations

from decimal import ROUND_DOWN, Decimal
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Dialect, Integer, Numeric, Text, literal
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeDecorator, TypeEngine

PLACES = 6
"""The number of decimal places of every column."""
LARGEST = Decimal("999999999999.999999")
"""The largest number."""
_DIGITS = 18
_UNITS = 10**PLACES


class FixedPoint(TypeDecorator[Decimal]):
    """A decimal number with up to 12 digits before the point and 6 after it.

    On PostgreSQL the column is NUMERIC(18, 6). On SQLite, which has no decimal numbers, it is the
    number of millionths. Other numbers raise ValueError, which SQLAlchemy wraps in a
    StatementError.
    """

    impl = Numeric(_DIGITS, PLACES)
    cache_ok = True

    @property
    def python_type(self) -> type[Any]:
        """The type of the values."""
        return Decimal

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Choose the column type of the database."""
        if dialect.name == "sqlite":
            return dialect.type_descriptor(BigInteger())
        return dialect.type_descriptor(Numeric(_DIGITS, PLACES))

    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:
        """Convert a number to its stored form."""
        if value is None:
            return None
        return millionths(value) if dialect.name == "sqlite" else Decimal(value)

    # The arguments are those of SQLAlchemy's TypeDecorator.
    def process_result_value(self, value: Any, dialect: Dialect) -> Decimal | None:
        """Convert a stored number."""
        if value is None:
            return None
        return Decimal(value).scaleb(-PLACES) if dialect.name == "sqlite" else Decimal(value)


def millionths(value: Decimal | int | str) -> int:
    """Return a number as an integer of millionths; ValueError if it has more decimal places."""
    scaled = Decimal(value) * _UNITS
    if scaled != scaled.to_integral_value():
        raise ValueError(f"{value} has more than {PLACES} decimal places")
    return int(scaled)


def decimal_text(value: Decimal | int | str, places: int) -> str:
    """Return a number with a fixed number of decimal places: ``12.50``."""
    return f"{Decimal(value).quantize(Decimal(1).scaleb(-places), ROUND_DOWN) + 0:f}"


class wire_decimal(FunctionElement[str]):  # noqa: N801 - it is used like a SQL function
    """``wire_decimal(column, places)``: a FixedPoint column as text in the API's format."""

    name = "wire_decimal"
    inherit_cache = True
    type = Text()

    def __init__(self, column: ColumnElement[Any], places: int) -> None:
        super().__init__(column, literal(places, Integer(), literal_execute=True))


@compiles(wire_decimal, "sqlite")
def _printed(element: wire_decimal, compiler: SQLCompiler, **options: Any) -> str:
    column, places = _arguments(element, compiler, options)
    unit, shown = 10 ** (PLACES - places), 10**places
    sign = f"CASE WHEN {column} <= -{unit} THEN '-' ELSE '' END"
    whole = f"CAST(abs({column}) / {_UNITS} AS TEXT)"
    rest = f" || printf('.%0{places}d', abs({column}) / {unit} % {shown})" if places else ""
    return f"({sign} || {whole}{rest})"


@compiles(wire_decimal, "postgresql")
def _truncated(element: wire_decimal, compiler: SQLCompiler, **options: Any) -> str:
    column, places = _arguments(element, compiler, options)
    return f"CAST(trunc({column}, {places}) AS TEXT)"


def _arguments(
    element: wire_decimal, compiler: SQLCompiler, options: dict[str, Any]
) -> tuple[str, int]:
    column, places = element.clauses
    return compiler.process(column, **options), int(places.value)
