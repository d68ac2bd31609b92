"""What a content type's declaration may say, so that a slip stops the start with one clear line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from sqlalchemy import JSON, Column
from sqlalchemy.types import TypeEngine

from masthead.approval.declaration import ApprovableItem
from masthead.content.feed import Feed
from masthead.db import UTCDateTime
from masthead.errors import StartError
from masthead.schemas.fields import columns_of
from masthead.schemas.schema import camel_case

if TYPE_CHECKING:
    from masthead.content.contenttype import ContentType

_NAME = re.compile(r"[a-z][a-z0-9-]*\Z")
RESERVED = frozenset(
    {"author", "changedAt", "etag", "firstPublishedAt", "listed", "position", "slug", "staged"}
    | {"tagIds", "tags"}
    | {camel_case(name) for name in vars(ApprovableItem) if not name.startswith("_")} - {"title"}
)
"""Names that no field may have, as every content type's items and answers have them."""

_NOTHING = {"upcoming": "a required time that lists are ordered by"}
"""What an option could name where the model has no such field."""


def check_names(content_type: ContentType) -> None:
    """Refuse what couldn't work, or would only fail at a request.

    :raises StartError: naming it.
    """
    if not _NAME.match(content_type.name):
        raise StartError(
            f"{content_type.name!r} can't name a content type:"
            " only a-z, 0-9 and - make a name, and a letter begins it"
        )
    taken = _own_names(content_type) & RESERVED
    if taken:
        raise StartError(
            f"{content_type.name}: no field can be named {', '.join(sorted(taken))};"
            f" reserved are {', '.join(sorted(RESERVED))}"
        )
    for option, names, allowed in _options(content_type):
        for name in names:
            if name not in allowed:
                raise StartError(
                    f"{content_type.name}: {option} names {name}, but can only name"
                    f" {', '.join(sorted(allowed)) or _NOTHING[option]}"
                )


def _own_names(content_type: ContentType) -> set[str]:
    names = {field.name for field in content_type.fields}
    # The kit gives the model this column later; two of a name would be one to SQLAlchemy.
    return names | ({"position"} & columns_of(content_type.model).keys())


def _options(content_type: ContentType) -> Iterator[tuple[str, Iterable[str], Iterable[str]]]:
    """The options that name fields, with the names they give and those that they may."""
    kind, columns = content_type, columns_of(content_type.model)
    single = [name for name, column in columns.items() if not isinstance(column.type, JSON)]
    times = [name for name, column in columns.items() if isinstance(column.type, UTCDateTime)]
    order = kind.order.removeprefix("-")
    yield "order", [order], _ordering(columns)
    always = [name for name in times if name == order and not columns[name].nullable]
    yield "upcoming", [kind.upcoming] if kind.upcoming else [], always
    yield "staff_order", [name.removeprefix("-") for name in kind.staff_order], single
    yield "date", [kind.date], times
    yield "boundaries", kind.boundaries, times
    yield "related_by", kind.related_by, single
    shown = [field.name for field in kind.fields if field.public]
    yield "related_fields", kind.related_fields, ["id", "slug", *shown]
    feed = kind.feed or Feed()
    told = ["firstPublishedAt", *(name for name in shown if name in single)]
    yield "feed", feed.fields, told
    yield "feed date", [feed.date], [name for name in told if name in times]
    yield "search_fields", kind.search_fields, [f.name for f in kind.fields if f.is_text]


def _ordering(columns: Mapping[str, Column[Any]]) -> list[str]:
    def orders(column_type: TypeEngine[Any]) -> bool:
        return isinstance(column_type, UTCDateTime) or column_type.python_type in (int, str)

    return [name for name, column in columns.items() if orders(column.type)]
