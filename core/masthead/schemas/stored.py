"""The field types of columns, by which an import checks stored values."""

from __future__ import annotations

import re
from typing import Any

from sqlalchemy import Column

from masthead.errors import ProblemCode, WrongValue
from masthead.schemas.field_types import FieldType, Str, Url
from masthead.schemas.html_type import Html
from masthead.schemas.schema import Nullable
from masthead.unicode.characters import CONTROLS

_CHECKED_AS = "checked as"


class Matching(FieldType):
    """Text that matches a regular expression as a whole."""

    def __init__(self, pattern: str) -> None:
        self._pattern = re.compile(pattern)

    def parse(self, value: Any) -> str:
        if not isinstance(value, str) or not self._pattern.fullmatch(value):
            raise WrongValue(ProblemCode.WRONG_FORM, f"Must match {self._pattern.pattern}")
        return value

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "pattern": self._pattern.pattern}


class PlainText(FieldType):
    """Text of any length, without control characters, which are removed."""

    def parse(self, value: Any) -> str:
        if not isinstance(value, str):
            raise WrongValue(ProblemCode.NOT_A_STRING, "Must be a string")
        return value if value.isprintable() else CONTROLS.sub("", value)

    def schema(self) -> dict[str, Any]:
        return {"type": "string"}


SLUG = Matching(r"[^\s<>\"'`&:/\\?#%\x00-\x1f\x7f]{1,200}")
"""A part of a path that needs no escaping in HTML."""


def keeps_blank(kind: FieldType) -> bool:
    """Whether blank text of a type is stored; older releases stored some in required fields."""
    inner = kind.inner if isinstance(kind, Nullable) else kind
    return isinstance(inner, Str | Html | Url | PlainText)


def checked_as(kind: FieldType) -> dict[str, Any]:
    """Return the ``info`` of a column whose values an import checks.

    It is no field, or has stored values of another form than those that its field accepts.

    :param kind: the field type of the stored values.
    """
    return {_CHECKED_AS: kind}


def stored_kind(column: Column[Any]) -> FieldType | None:
    """Return the field type of the values that a column stores; None if it has none."""
    options = column.info.get("field")
    kind: FieldType | None = column.info.get(_CHECKED_AS, options and options.kind)
    return Nullable(kind) if kind is not None and column.nullable else kind
