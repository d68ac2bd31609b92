"""The field type of exact decimal numbers."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from sqlalchemy import ColumnElement

from masthead.db.fixed_point import LARGEST, PLACES, FixedPoint, decimal_text, wire_decimal
from masthead.errors import ProblemCode, StartError, WrongValue
from masthead.schemas.field_types import FieldType

_NUMBER = re.compile(r"-?\d{1,40}(\.\d{1,40})?", re.ASCII)
_EXACT_DIGITS = 15
"""The digits up to which a JSON number, which programs read as a binary one, is exact."""


class Number(FieldType):
    """An exact decimal number, such as a price or a measure; a ``decimal.Decimal`` in Python.

    Its JSON value is text with all decimal places, ``"12.50"``. A body may also contain a JSON
    number with up to 15 digits.
    """

    column_type = FixedPoint()

    def __init__(
        self,
        minimum: Decimal | int | str | None = None,
        maximum: Decimal | int | str | None = None,
        *,
        places: int = 2,
    ) -> None:
        """Take the bounds and the number of decimal places.

        :raises StartError: for more than 6 places, or bounds that no such number is within.
        """
        if not 0 <= places <= PLACES:
            raise StartError(f"Number() takes 0 to {PLACES} places, not {places}")
        largest = Decimal(decimal_text(LARGEST, places))
        self.places = places
        self.minimum = -largest if minimum is None else Decimal(minimum)
        self.maximum = largest if maximum is None else Decimal(maximum)
        is_range = -largest <= self.minimum <= self.maximum <= largest
        if not is_range or not (self._fits(self.minimum) and self._fits(self.maximum)):
            raise StartError(
                f"Number() takes bounds from -{largest} to {largest} with {places} decimal places"
            )
        first = min(max(Decimal(12), self.minimum), self.maximum)
        other = first + 1 if first + 1 <= self.maximum else max(first - 1, self.minimum)
        self.samples = decimal_text(first, places), decimal_text(other, places)
        self.example = self.samples[0]

    def parse(self, value: Any) -> Decimal:
        """Return the number."""
        text = value.strip() if isinstance(value, str) else _text_of(value)
        if not _NUMBER.fullmatch(text):
            message = 'Must be a number, as text such as "12.50"'
            raise WrongValue(ProblemCode.NOT_A_NUMBER, message)
        number = Decimal(text)
        if not self.minimum <= number <= self.maximum:
            message = f"Must be between {self.minimum} and {self.maximum}"
            raise WrongValue(ProblemCode.OUT_OF_RANGE, message)
        if not self._fits(number):
            message = f"Must have at most {self.places} decimal places"
            raise WrongValue(ProblemCode.WRONG_FORM, message)
        return Decimal(decimal_text(number, self.places))

    def _fits(self, number: Decimal) -> bool:
        """Whether a number has no further decimal places."""
        return number == Decimal(decimal_text(number, self.places))

    def dump(self, value: Decimal | int | str) -> str:
        """Return the number with all decimal places."""
        return decimal_text(value, self.places)

    def restore(self, value: str) -> Decimal:
        """Return the number."""
        return Decimal(value)

    def wire(self, column: ColumnElement[Any]) -> ColumnElement[Any]:
        """Return an expression for the text of a column."""
        return wire_decimal(column, self.places)

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the text."""
        rest = f"(\\.\\d{{1,{self.places}}})?" if self.places else ""
        return {"type": "string", "format": "decimal", "pattern": f"^-?\\d+{rest}$"}


def _text_of(value: Any) -> str:
    """Return a JSON number as text; blank for another value, or a number that isn't exact."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return ""
    if isinstance(value, int):
        return str(value)
    number = Decimal(repr(value))
    is_exact = number.is_finite() and len(number.as_tuple().digits) <= _EXACT_DIGITS
    return f"{number:f}" if is_exact else ""
