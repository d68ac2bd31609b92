"""The filters of lists by the values of a content type's fields, and their indexes.

The type of a field decides its query parameters: a time, a day or a number has two,
``closesAtFrom`` and ``closesAtTo``; a text has to be equal; of a choice or an integer several may
be given. A list of texts has to have one of those that are given.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import colander
from sqlalchemy import JSON, Column, ColumnElement, Index, Table

from masthead.content.visibility import vanishing_columns
from masthead.db.json_lists import has_any
from masthead.db.list_indexes import declare_list_index
from masthead.errors import StartError
from masthead.http.list_query import CHOICES, LIMIT, Names, Several, Until
from masthead.http.paging import TEXT_FILTER
from masthead.schemas.dates import Date
from masthead.schemas.field_types import (
    Bool,
    Choice,
    Email,
    FieldType,
    Int,
    Password,
    Str,
    Timestamp,
    Url,
)
from masthead.schemas.fields import Field
from masthead.schemas.html_type import Html
from masthead.schemas.language_tags import LanguageTag
from masthead.schemas.numbers import Number
from masthead.schemas.references import Ref
from masthead.schemas.schema import ListOf, Nullable, optional

# Lists are filtered by references in another way, and always.
_UNFILTERED = Html | Password | Ref | Url
_WORDS = Choice | Email | LanguageTag | Str
"""The types of the elements of lists that can be filtered by."""
_PARAMETERS = CHOICES | {LIMIT, "offset", "search", "tag", "upcoming"}
_LONGEST = 500
"""The most characters of a text whose value fits into an index of each database."""


@dataclass(frozen=True)
class FieldFilter:
    """A query parameter that selects items by the value of a field."""

    parameter: str
    kind: FieldType
    """The type of the parameter, with its meaning."""
    condition: Callable[[Any], ColumnElement[bool]]
    """Return the condition on the items for a checked value."""

    @property
    def node(self) -> colander.SchemaNode:
        """The parameter in the schema of a query."""
        return optional(self.kind, nullable=False)


def can_filter(field: Field, column: Column[Any]) -> bool:
    """Whether lists can be filtered by a field: one with a short value, or with a list of words."""
    kind = _inner(field.kind)
    is_list = isinstance(kind, ListOf) and isinstance(kind.inner, _WORDS)
    element = kind.inner if isinstance(kind, ListOf) else kind
    is_long = isinstance(element, Str) and element.max_length > _LONGEST
    is_single = not isinstance(column.type, JSON)
    return (is_list or is_single) and not is_long and not isinstance(element, _UNFILTERED)


def filters_of(
    names: Collection[str], fields: Iterable[Field], columns: Mapping[str, Column[Any]]
) -> tuple[FieldFilter, ...]:
    """Return the filters by some fields.

    :param columns: the columns of the items by wire name.
    """
    found = [_filters(field, columns[field.name]) for field in fields if field.name in names]
    return tuple(each for filters in found for each in filters)


def check_parameters(content_type: str, filters: Iterable[FieldFilter]) -> None:
    """Refuse filters whose parameter another one, or every list, has.

    :raises StartError: naming the parameter.
    """
    known = set(_PARAMETERS)
    for each in filters:
        if each.parameter in known:
            raise StartError(
                f"{content_type}: no filter can have the query parameter {each.parameter},"
                " which lists have already; give the field another name"
            )
        known.add(each.parameter)


def index_filters(table: Table, filtered: Iterable[Column[Any]]) -> None:
    """Add an index for each column that lists are filtered by, which also has their order.

    It has all columns of the visibility predicate, so that items are counted by the index alone.
    The index of a list is for its elements only, and on PostgreSQL only.
    """
    columns = table.c
    predicate = (columns.published, columns.scheduled_publish_at, *vanishing_columns(table))
    for column in filtered:
        name = f"ix_{table.name}_by_{column.name}"
        if isinstance(column.type, JSON):
            declare_list_index(name, column)
        else:
            parts = dict.fromkeys((column, columns.position, columns.id, *predicate))
            Index(name, *parts)


def conditions_of(
    filters: Iterable[FieldFilter], query: Mapping[str, Any]
) -> Iterator[ColumnElement[bool]]:
    """Yield the conditions of a checked query."""
    for each in filters:
        if query.get(each.parameter) not in (None, (), ""):
            yield each.condition(query[each.parameter])


def _filters(field: Field, column: Column[Any]) -> tuple[FieldFilter, ...]:
    name, kind = field.name, _inner(field.kind)
    if isinstance(kind, Timestamp | Date | Number):
        return _span(name, kind, column)
    if isinstance(kind, Bool | Str):
        accepted = Bool() if isinstance(kind, Bool) else TEXT_FILTER
        meaning = f"Only items with this `{name}`."
        return (FieldFilter(name, accepted.described(meaning), lambda value: column == value),)
    if isinstance(kind, ListOf):
        return (_list_filter(name, kind.inner, column),)
    meaning = f"Only items whose `{name}` is one of these."
    chosen = FieldFilter(name, _several(kind).described(meaning), column.in_)
    return (chosen, *_span(name, kind, column)) if isinstance(kind, Int) else (chosen,)


def _several(kind: FieldType) -> FieldType:
    return Names(*kind.options) if isinstance(kind, Choice) else Several(kind)


def _list_filter(name: str, element: FieldType, column: Column[Any]) -> FieldFilter:
    """Return the filter by the elements of a list."""
    if isinstance(element, Str):
        # A text may contain commas.
        meaning = f"Only items whose `{name}` has this text."
        return FieldFilter(
            name, TEXT_FILTER.described(meaning), lambda text: has_any(column, [text])
        )
    meaning = f"Only items whose `{name}` has one of these."
    several = _several(element).described(meaning)
    return FieldFilter(name, several, lambda texts: has_any(column, texts))


def _span(
    name: str, kind: Timestamp | Date | Number | Int, column: Column[Any]
) -> tuple[FieldFilter, FieldFilter]:
    """Return the filters by the begin and the end of a span of times, days or numbers."""
    is_number = isinstance(kind, Number | Int)
    later = "more" if is_number else "later"
    since = kind.described(f"Only items whose `{name}` is this or {later}.")
    starts = FieldFilter(f"{name}From", since, lambda value: column >= value)
    meaning = f"Only items whose `{name}` is"
    if not isinstance(kind, Timestamp):
        earlier = "less" if is_number else "earlier"
        until: FieldType = kind.described(f"{meaning} this or {earlier}.")
        return starts, FieldFilter(f"{name}To", until, lambda value: column <= value)
    until = Until().described(f"{meaning} before this time, or on this day for a date alone.")
    return starts, FieldFilter(f"{name}To", until, lambda value: column < value)


def _inner(kind: FieldType) -> FieldType:
    return kind.inner if isinstance(kind, Nullable) else kind
