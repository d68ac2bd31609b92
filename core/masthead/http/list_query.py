"""Field types of query parameters that choose the items, the order and the fields of an answer."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import colander

from masthead.errors import ProblemCode, WrongValue
from masthead.http.paging import MAX_LIMIT, Window
from masthead.schemas.field_types import MAX_ID, Choice, FieldType, Int, Timestamp
from masthead.schemas.schema import optional

_DAY = timedelta(days=1)
_TIME_OF_DAY = re.compile("[Tt: ]")

INCLUDE, FIELDS, HTML = "include", "fields", "html"
IDS, UPDATED_SINCE, SORT = "ids", "updatedSince", "sort"
"""The names of the parameters of lists and items."""
LIMIT = "limit"
EMBED = "embed"
"""The name of the parameter for the items that an answer embeds."""
WHEN, FROM, TO = "when", "from", "to"
"""The names of the parameters of lists of items that last for some time."""
CHOICES = frozenset({EMBED, FIELDS, FROM, HTML, IDS, INCLUDE, SORT, TO, UPDATED_SINCE, WHEN})
ABSOLUTE = "absolute"
"""The value of ``html`` that makes addresses absolute."""
MOST_IDS = 500
MOST_SORT_KEYS = 3
RELATED = "related"
MOST_WITH_RELATED = 100
"""The maximum limit of a list with related items, because each of them takes a search."""


class Names(FieldType):
    """Some of a fixed set of words, separated by commas; blank for none of them."""

    def __init__(self, *options: str) -> None:
        self.options = options

    def parse(self, value: Any) -> tuple[Any, ...]:
        """Return the words without repetitions."""
        names = tuple(dict.fromkeys(_parts(value)))
        if not set(names) <= set(self.options):
            message = "Must be one of " + ", ".join(self.options)
            raise WrongValue(ProblemCode.NOT_AN_OPTION, message, options=self.options)
        return names

    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": {"type": "string", "enum": list(self.options)}}


class Sort(Names):
    """The fields that a list is sorted by; a minus means descending: ``-publishedAt,title``.

    Its value has pairs of a field's name and whether the order is descending.
    """

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(*(sign + name for name in names for sign in ("", "-")))

    def parse(self, value: Any) -> tuple[tuple[str, bool], ...]:
        """Return the pairs."""
        keys = [(each.removeprefix("-"), each.startswith("-")) for each in super().parse(value)]
        if len(keys) > MOST_SORT_KEYS:
            message = f"At most {MOST_SORT_KEYS} fields"
            raise WrongValue(ProblemCode.TOO_MANY, message, limit=MOST_SORT_KEYS)
        if len(dict(keys)) < len(keys):
            raise WrongValue(ProblemCode.REPEATED, "Must not name a field twice")
        return tuple(keys)

    def schema(self) -> dict[str, Any]:
        return {**super().schema(), "maxItems": MOST_SORT_KEYS}


class Until(Timestamp):
    """A time that a span ends before; a date without a time includes that day."""

    def parse(self, value: Any) -> datetime:
        """Return the time."""
        moment = super().parse(value)
        if _TIME_OF_DAY.search(value.strip()):
            return moment
        last = datetime.max.replace(tzinfo=UTC) - _DAY
        return min(moment, last) + _DAY


class TimeOrDay(Timestamp):
    """A time; a date without a time is a day of a time zone that the reader of the value knows."""

    def parse(self, value: Any) -> datetime:
        """Return the time: aware, or naive for the begin of a day."""
        moment = super().parse(value)
        return moment if _TIME_OF_DAY.search(value.strip()) else moment.replace(tzinfo=None)


class Several(FieldType):
    """Some values of one type, separated by commas."""

    noun = "values"

    def __init__(self, inner: FieldType) -> None:
        self.inner = inner

    def parse(self, value: Any) -> tuple[Any, ...]:
        """Return the values in ascending order without repetitions."""
        parts = _parts(value)
        if len(parts) > MOST_IDS:
            message = f"At most {MOST_IDS} {self.noun}"
            raise WrongValue(ProblemCode.TOO_MANY, message, limit=MOST_IDS)
        return tuple(sorted({self.inner.parse(self.inner.read(part)) for part in parts or [","]}))

    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": self.inner.schema(), "maxItems": MOST_IDS}


class Ids(Several):
    """Some ids, separated by commas."""

    noun = "ids"

    def __init__(self) -> None:
        super().__init__(Int(1))

    def schema(self) -> dict[str, Any]:
        identifier = {"type": "integer", "minimum": 1, "maximum": MAX_ID}
        return {**super().schema(), "items": identifier}


def _parts(value: Any) -> list[str]:
    """Return the parts of a text between commas, without blank ones."""
    if not isinstance(value, str):
        raise WrongValue(ProblemCode.NOT_A_STRING, "Must be words, separated by commas")
    return [part.strip() for part in value.split(",") if part.strip()]


def chosen_window(window: Window, query: Mapping[str, Any]) -> Window:
    """Return the part of a list that a request for chosen items or fields gets.

    :param query: the checked parameters.
    """
    limit = window.limit
    if IDS in query and "limit" not in query:
        limit = MAX_LIMIT
    if any(query.get(name) for name in (EMBED, INCLUDE, FIELDS, HTML)):
        limit = min(limit, MAX_LIMIT)
    if RELATED in (*query.get(INCLUDE, ()), *query.get(FIELDS, ())):
        limit = min(limit, MOST_WITH_RELATED)
    return Window(limit, window.offset)


def filters(*, has_ids: bool, has_updates: bool) -> dict[str, colander.SchemaNode]:
    """Return the parameters that choose items by their ids and by the times of their changes."""
    ids = optional(
        Ids(), nullable=False, help="Only the items with these ids; unknown ones are left out."
    )
    since = optional(
        Timestamp(),
        nullable=False,
        help="Only the items whose `updatedAt` is this time or later.",
    )
    return ({IDS: ids} if has_ids else {}) | ({UPDATED_SINCE: since} if has_updates else {})


def sort_parameter(names: Sequence[str]) -> dict[str, colander.SchemaNode]:
    """Return the parameter for the order of a list, which names the fields in it."""
    meaning = "The fields that the list is sorted by; a minus before one means descending."
    return {SORT: optional(Sort(names), nullable=False, help=meaning, example=[f"-{names[0]}"])}


def presentation(
    shown: Sequence[str], further: Sequence[str], *, has_html: bool
) -> dict[str, colander.SchemaNode]:
    """Return the parameters for the fields of an answer and the form of its HTML.

    :param shown: the fields that an answer can have.
    :param further: those that ``include`` names.
    """
    parameters = {
        FIELDS: optional(
            Names(*shown),
            nullable=False,
            help="The fields of the answer; others are left out, also required ones.",
            example=list(shown[:2]),
        )
    }
    if further:
        meaning = "Further fields of the answer."
        parameters[INCLUDE] = optional(
            Names(*further), nullable=False, help=meaning, example=[further[0]]
        )
    if has_html:
        meaning = "Whether the addresses in HTML are absolute; by default, some are paths."
        parameters[HTML] = optional(Choice(ABSOLUTE), nullable=False, help=meaning)
    return parameters
