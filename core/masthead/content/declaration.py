"""The checks of a content type's options: a mistake stops the start with one clear line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from sqlalchemy import JSON, Column
from sqlalchemy.types import TypeEngine

from masthead.approval.declaration import ApprovableItem
from masthead.content.feed import Feed
from masthead.content.field_filters import can_filter
from masthead.content.period import ALL_DAY
from masthead.content.times import TIMES
from masthead.content.visibility import EXPIRED
from masthead.db import UTCDateTime
from masthead.errors import StartError
from masthead.references.fields import check_references
from masthead.schemas.cases import camel_case
from masthead.schemas.fields import columns_of

if TYPE_CHECKING:
    from masthead.content.contenttype import ContentType

_NAME = re.compile(r"[a-z][a-z0-9-]*\Z")
RESERVED = frozenset(
    {"approvalRequestedByUser", "approvedByUser", "author", "changedAt", "dir", "etag"}
    | {"firstPublishedAt", "listed", "live", "merge", "merged", "position"}
    | {"rejectedByUser", "stage", "staged", "tagIds", "tags", "visibility"}
    | {camel_case(name) for name in vars(ApprovableItem) if not name.startswith("_")} - {"title"}
)
"""Names that no field may have, because the items or answers of every content type have them."""

_WANTED = dict.fromkeys(("upcoming", "period start"), "a required time that lists are ordered by")
_WANTED |= dict.fromkeys(("expires", "first_published"), "a field of the type Timestamp")
"""The fields that an option accepts, for the message if the model has none."""


_COMPUTED = " a computed field can't have the name of a column;"


def check_names(content_type: ContentType) -> None:
    """Refuse names that could not work, or would fail at a request only.

    :raises StartError: for the first mistake.
    """
    if not _NAME.match(content_type.name):
        raise StartError(
            f"{content_type.name!r} is no name for a content type:"
            " use a-z, 0-9 and -, beginning with a letter"
        )
    reserved = RESERVED | ({ALL_DAY} if content_type.period else set())
    reserved |= {EXPIRED} if content_type.keeps_detail else set()
    taken = _own_names(content_type) & reserved
    taken |= content_type.computed.keys() & (reserved | content_type.columns.keys())
    table = content_type.model.__table__
    if "position" in taken and f"{table.name}_tag" in table.metadata.tables:
        model = content_type.model.__name__
        raise StartError(
            f"{model} has a content type already; declare it once, outside of the hook"
        )
    if taken:
        raise StartError(
            f"{content_type.name}: no field can be named {', '.join(sorted(taken))};"
            f"{_COMPUTED if taken - reserved else ''}"
            f" reserved names are {', '.join(sorted(RESERVED))}"
        )
    if content_type.keeps_detail and not content_type.expires:
        raise StartError(f'{content_type.name}: detail="open" needs expires')
    shown = columns_of(content_type.model).keys() | RESERVED | content_type.computed.keys()
    check_references(content_type.name, content_type.fields, shown)
    for option, names, allowed in _options(content_type):
        for name in names:
            if name not in allowed:
                raise StartError(
                    f"{content_type.name}: {option} names {name}, but accepts only"
                    f" {', '.join(sorted(allowed)) or _WANTED[option]}"
                )


def _own_names(content_type: ContentType) -> set[str]:
    names = {field.name for field in content_type.fields}
    # The kit adds a column of this name later, which SQLAlchemy would not tell from the model's.
    return names | ({"position"} & columns_of(content_type.model).keys())


def _options(content_type: ContentType) -> Iterator[tuple[str, Iterable[str], Iterable[str]]]:
    """Yield the options that name fields, each with its names and the names that it accepts."""
    columns = columns_of(content_type.model)
    single = [name for name, column in columns.items() if not isinstance(column.type, JSON)]
    times = [name for name, column in columns.items() if isinstance(column.type, UTCDateTime)]
    order = content_type.order.removeprefix("-")
    yield "order", [order], _ordering(columns)
    always = [name for name in times if name == order and not columns[name].nullable]
    yield "upcoming", filter(None, [content_type.upcoming]), always
    expires = [field.name for field in content_type.fields if field.name in {*times} - TIMES]
    yield "expires", filter(None, [content_type.expires]), expires
    period = content_type.period
    yield "period start", [period.start] if period else [], always
    yield "period end", [period.end] if period else [], times
    staff_order = [name.removeprefix("-") for name in content_type.staff_order]
    yield "staff_order", staff_order, single
    yield "date", [content_type.date], times
    yield "visibility_fields", content_type.visibility_fields, times
    yield "related_by", content_type.related_by, single
    shown = [field.name for field in content_type.fields if field.public]
    yield "public_orders", content_type.public_orders, [n for n in shown if n in _ordering(columns)]
    yield from _filters(content_type)
    yield "related_fields", content_type.related_fields, ["id", "slug", *shown]
    first_published = [name for name in expires if name in shown]
    yield "first_published", filter(None, [content_type.first_published]), first_published
    feed = content_type.feed or Feed()
    in_feed = ["firstPublishedAt", *(name for name in shown if name in single)]
    yield "feed", feed.fields, in_feed
    yield "feed date", [feed.date], [name for name in in_feed if name in times]
    yield (
        "search_fields",
        content_type.search_fields,
        [f.name for f in content_type.fields if f.is_text],
    )


def _filters(content_type: ContentType) -> Iterator[tuple[str, Iterable[str], Iterable[str]]]:
    columns = content_type.columns
    filtered = [f for f in content_type.fields if can_filter(f, columns[f.name])]
    yield "public_filters", content_type.public_filters, [f.name for f in filtered if f.public]
    yield "staff_filters", content_type.staff_filters, [f.name for f in filtered]


def _ordering(columns: Mapping[str, Column[Any]]) -> list[str]:
    """Return the names of the columns that lists can be ordered by."""

    def orders(column_type: TypeEngine[Any]) -> bool:
        if isinstance(column_type, UTCDateTime):
            return True
        return column_type.python_type in (int, str, date, Decimal)

    return [name for name, column in columns.items() if orders(column.type)]
