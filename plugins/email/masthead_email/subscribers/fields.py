"""The field type of further fields of subscribers."""

from __future__ import annotations

from copy import copy
from typing import Any, Self

from masthead import Line, Object, ProblemCode, WrongValue, problems_of, schema
from masthead_email.settings import FIELDS


class TextFields(Object):
    """A JSON object of texts of one line by name; the setting declares the names."""

    def __init__(self) -> None:
        super().__init__(schema({}))
        self._text = Line()
        self.names: tuple[str, ...] | None = None
        """The allowed names; None allows all, as in stored values."""

    def bound(self, settings: Any) -> Self:
        clone = copy(self)
        clone.names = settings[FIELDS]
        return clone

    def parse(self, value: Any) -> dict[str, str]:
        if not isinstance(value, dict):
            raise WrongValue(ProblemCode.NOT_AN_OBJECT, "Must be an object")
        unknown = sorted(value.keys() - set(self.names)) if self.names is not None else []
        if unknown:
            message = f"{unknown[0]} is not one of masthead.email.fields"
            raise WrongValue(ProblemCode.UNKNOWN_NAME, message)
        return {name: self._read(name, text) for name, text in value.items() if text is not None}

    def _read(self, name: str, text: Any) -> str:
        try:
            return self._text.parse(text)
        except ValueError as error:
            problems = [each.within(name) for each in problems_of(error)]
            raise WrongValue.inside(f"{name}: {error}", problems) from None

    def dump(self, value: Any) -> Any:
        return value

    def schema(self) -> dict[str, Any]:
        return {"type": "object", "additionalProperties": self._text.schema()}
