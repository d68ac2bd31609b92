"""The field type of days."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

from sqlalchemy import Date as DateColumn

from masthead.errors import ProblemCode, WrongValue
from masthead.schemas.field_types import FieldType

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


class Date(FieldType):
    """A day without a time and a time zone, as ``2026-03-01``; a ``datetime.date`` in Python."""

    column_type = DateColumn()
    samples = "2026-03-01", "2027-12-31"

    def parse(self, value: Any) -> date:
        """Return the day."""
        text = value.strip() if isinstance(value, str) else ""
        if not _DAY.fullmatch(text):
            raise WrongValue(ProblemCode.NOT_A_DATE, "Must be a date such as 2026-03-01")
        try:
            return date.fromisoformat(text)
        except ValueError:
            raise WrongValue(ProblemCode.NOT_A_DATE, "Must be a date that exists") from None

    def dump(self, value: date | str) -> str:
        """Return the day in the form of ISO 8601."""
        return value if isinstance(value, str) else value.isoformat()

    def restore(self, value: str) -> date:
        """Return the day."""
        return date.fromisoformat(value)

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of a day."""
        return {"type": "string", "format": "date"}
