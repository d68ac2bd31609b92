"""Conditions on the fields of subscribers, which are stored as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sqlalchemy import ColumnElement

from masthead import Line, ListOf
from masthead_email.subscribers.fields import TextFields
from masthead_email.subscribers.models import Subscriber

_MOST_VALUES = 100


class FieldValues(TextFields):
    """A JSON object with the wanted values of subscribers' fields by name."""

    def __init__(self) -> None:
        super().__init__()
        self._text = ListOf(Line(), max_length=_MOST_VALUES, unique=True)


def with_field_values(wanted: Mapping[str, Sequence[str]] | None) -> Iterator[ColumnElement[bool]]:
    """Yield the condition for each field; a subscriber has to have one of its values."""
    for name, values in (wanted or {}).items():
        if values:
            yield Subscriber.fields[name].as_string().in_(values)
