"""The test of the filters that a content type declares for its lists."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any

from masthead.content.contenttype import ContentType
from masthead.schemas.dates import Date
from masthead.schemas.field_types import FieldType, Int, Timestamp
from masthead.schemas.numbers import Number
from masthead.schemas.schema import Nullable
from masthead.testing.desk import Desk


class FilterContract:
    """The test of a content type's filters by fields."""

    content_type: ContentType

    @abstractmethod
    def first(self, *names: str) -> dict[str, Any]:
        """Return values for these fields, by default for all except the times."""

    @abstractmethod
    def second(self, *names: str) -> dict[str, Any]:
        """Return other values for the same fields."""

    def test_lists_are_filtered_by_the_fields_that_the_type_names(self, desk: Desk) -> None:
        items = [desk.create_public(**values) for values in (self.first(), self.second())]
        kinds = {field.name: field.kind for field in self.content_type.fields}
        public = self.content_type.public_filters

        for name in (*public, *self.content_type.staff_filters):
            values = items[0][name], items[1][name]
            for query, place in filter_queries(name, kinds[name], *values):
                wanted = [items[place]["id"]]
                assert [each["id"] for each in desk.list(**query)] == wanted, query
                if name in public:
                    assert [each["id"] for each in desk.public_list(**query)] == wanted, query


def filter_queries(
    name: str, kind: FieldType, one: Any, other: Any
) -> Iterator[tuple[dict[str, Any], int]]:
    """Yield queries that select one of two items by a field, each with 0 or 1 for the item.

    :param one: the JSON value of the field in the first item.
    :param other: that in the second one.
    """
    kind = kind.inner if isinstance(kind, Nullable) else kind
    if one == other:
        return
    if isinstance(kind, Timestamp | Date | Number | Int) and None not in (one, other):
        pair = kind.parse(one), kind.parse(other)
        highest = pair.index(max(pair))
        yield {f"{name}From": (one, other)[highest]}, highest
        if not isinstance(kind, Timestamp):
            yield {f"{name}To": (one, other)[1 - highest]}, 1 - highest
    for place, (value, rest) in enumerate([(one, other), (other, one)]):
        if isinstance(value, list):
            yield from (({name: each}, place) for each in value if each not in (rest or ()))
        elif value not in (None, "") and not isinstance(kind, Timestamp | Date | Number):
            yield {name: str(value).lower() if isinstance(value, bool) else value}, place
