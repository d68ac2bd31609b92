"""The filters and the orders of a content type's staff lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import colander
from sqlalchemy import BigInteger, ColumnElement, String, cast, false, func, select, true, union_all

from masthead.approval.declaration import STATUSES
from masthead.content.contenttype import ContentType
from masthead.content.field_filters import conditions_of
from masthead.content.public_reading import tag_id
from masthead.content.schemas import SEARCH
from masthead.content.shapes import VISIBILITY
from masthead.content.taglinks import TAG_IDS
from masthead.content.visibility import STATES, states
from masthead.db import by_code_points
from masthead.http.paging import TEXT_FILTER
from masthead.references.filtering import refer, reference_filters
from masthead.schemas.field_types import MAX_ID, Bool, Choice, FieldType, Int, Timestamp
from masthead.schemas.schema import optional, schema

SORT = "sort"
TAG = "tag"
_FILTERS: Mapping[str, FieldType] = {
    "approvalStatus": Choice(*STATUSES).described("Only items in this state of approval."),
    "published": Bool().described("Only published items, or only others."),
    "staged": Bool().described("Only items with an edit that waits, or only others."),
    "createdBy": Int(1, MAX_ID).described("Only items that the user with this id created."),
    "editedBy": Int(1, MAX_ID).described("Only items whose last edit this user made."),
    "updatedSince": Timestamp().described("Only items that changed at this time or later."),
    VISIBILITY: Choice(*STATES).described("Only items that the public sees, or doesn't see."),
    TAG: TEXT_FILTER.described("Only items with the tag of this slug."),
}


def sort_names(content_type: ContentType) -> list[str]:
    """Return the fields that staff lists can be sorted by."""
    ordered_by = content_type.order.removeprefix("-")
    return list(dict.fromkeys(["title", "createdAt", "updatedAt", content_type.date, ordered_by]))


def list_query(content_type: ContentType) -> colander.SchemaNode:
    """Return the query of a staff list: the search, the filters and the order."""
    names = sort_names(content_type)
    orders = Choice(*names, *(f"-{name}" for name in names))
    kinds = {**_FILTERS, SORT: orders.described("The order; a minus means descending.")}
    query = {name: optional(kind, nullable=False) for name, kind in kinds.items()}
    own = {each.parameter: each.node for each in content_type.all_filters}
    return schema(SEARCH | reference_filters(content_type.fields) | query | own)


def filter_conditions(
    content_type: ContentType, dialect: str, query: Mapping[str, Any]
) -> list[ColumnElement[bool]]:
    """Return the conditions of a checked query, without its search.

    The condition on a tag takes the tag's slug as ``tag``.
    """
    columns = content_type.table.c
    edited = select(columns.id).where(columns.staged.is_not(None))
    make: Mapping[str, Callable[[Any], ColumnElement[bool]]] = {
        "approvalStatus": lambda status: columns.approval_status == status,
        # Constants, because only these let the database use a partial index.
        "published": lambda wanted: columns.published == (true() if wanted else false()),
        # By the index of staged edits, whose column is read past the content.
        "staged": lambda wanted: (columns.id.in_ if wanted else columns.id.not_in)(edited),
        VISIBILITY: lambda wanted: states(content_type.table)[wanted],
        "createdBy": lambda user_id: columns.created_by == user_id,
        "editedBy": lambda user_id: columns.edited_by == user_id,
        "updatedSince": lambda time: columns.updated_at >= time,
        TAG: lambda _slug: _has_tag(content_type, dialect),
    }
    general = [make[name](query[name]) for name in _FILTERS if name in query]
    by_fields = conditions_of(content_type.all_filters, query)
    referring = refer(content_type.name, content_type.fields, columns.id, query)
    return [*general, *by_fields, *referring]


def _has_tag(content_type: ContentType, dialect: str) -> ColumnElement[bool]:
    """Return the condition that staff see an item with a tag: a staged one, or else a live one."""
    table, links, wanted = content_type.table, content_type.links, tag_id()
    edited = select(table.c.id).where(table.c.staged.is_not(None))
    live = select(links.c.item_id).where(links.c.tag_id == wanted, links.c.item_id.not_in(edited))
    if dialect == "sqlite":
        ids = func.json_each(table.c.staged, f"$.{TAG_IDS}").table_valued("value")
    else:
        ids = func.json_array_elements_text(table.c.staged[TAG_IDS]).table_valued("value")
    has_it = select(ids.c.value).where(cast(ids.c.value, BigInteger) == wanted).exists()
    return table.c.id.in_(union_all(live, edited.where(has_it)))


def ordering(content_type: ContentType, sort: str | None = None) -> list[Any]:
    """Return the keys of a staff list, which compare live values.

    :param sort: a field, with a minus for descending; None for the order that is declared.
    """
    table = content_type.table
    if sort is None:
        names = list(content_type.staff_order)
        descending = content_type.newest_first
        keys = [table.c.position.desc() if descending else table.c.position.asc()]
    else:
        names, keys, descending = [sort], [], False
    for name in names:
        descending = name.startswith("-")
        column = _sorted_column(content_type, name)
        key = column.desc() if descending else column.asc()
        keys.append(key.nulls_last() if getattr(column, "nullable", True) else key)
    return [*keys, table.c.id.desc() if descending else table.c.id.asc()]


def _sorted_column(content_type: ContentType, name: str) -> Any:
    plain = name.removeprefix("-")
    column: Any = content_type.columns[plain]
    if plain == "title":
        # Regardless of the case of ASCII letters only, in which both databases agree.
        return func.lower(by_code_points(column))
    if name == content_type.order or (not column.nullable and plain == _ordered_by(content_type)):
        # It has an index, and its extreme value for null comes last in the declared direction.
        return content_type.table.c.position
    return by_code_points(column) if isinstance(column.type, String) else column


def _ordered_by(content_type: ContentType) -> str:
    return content_type.order.removeprefix("-")
