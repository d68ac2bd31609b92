"""Conditions on the topics and the fields of subscribers, which are stored as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import JSON, Boolean, ColumnElement, literal
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

from masthead import Line, ListOf
from masthead_email.subscribers.fields import TextFields
from masthead_email.subscribers.models import Subscriber

_MOST_VALUES = 100


class FieldValues(TextFields):
    """A JSON object with the wanted values of subscribers' fields by name."""

    def __init__(self) -> None:
        super().__init__()
        self._text = ListOf(Line(), max_length=_MOST_VALUES, unique=True)


class shares_text(FunctionElement[bool]):  # noqa: N801 - it is used like a SQL function
    """``shares_text(column, texts)``: whether a JSON array has one of some texts, exactly."""

    name = "shares_text"
    inherit_cache = True
    type = Boolean()

    def __init__(self, column: Any, texts: Sequence[str]) -> None:
        super().__init__(column, literal(list(texts), JSON()))


@compiles(shares_text, "sqlite")
def _each(element: shares_text, compiler: SQLCompiler, **options: Any) -> str:
    column, texts = (compiler.process(each, **options) for each in element.clauses)
    held, wanted = f"json_each({column}) AS held", f"json_each({texts}) AS wanted"
    inside = f"held.value IN (SELECT wanted.value FROM {wanted})"  # noqa: S608 - no values
    return f"EXISTS (SELECT 1 FROM {held} WHERE {inside})"  # noqa: S608 - no values


@compiles(shares_text, "postgresql")
def _elements(element: shares_text, compiler: SQLCompiler, **options: Any) -> str:
    column, texts = (compiler.process(each, **options) for each in element.clauses)
    # Five times as fast as comparing the elements one by one, among millions of rows.
    return f"CAST({column} AS jsonb) ?| ARRAY(SELECT json_array_elements_text({texts}))"


def with_field_values(wanted: Mapping[str, Sequence[str]] | None) -> Iterator[ColumnElement[bool]]:
    """Yield the condition for each field; a subscriber has to have one of its values."""
    for name, values in (wanted or {}).items():
        if values:
            yield Subscriber.fields[name].as_string().in_(values)
