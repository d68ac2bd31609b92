"""The queries, bodies and answers of the endpoints of the trash."""

from __future__ import annotations

from collections.abc import Iterable

import colander

from masthead.approval.declaration import STATUSES
from masthead.history.schemas import FITTING, UNFIT
from masthead.http.paging import TEXT_FILTER
from masthead.schemas.common import USER_REFERENCE
from masthead.schemas.field_types import MAX_ID, Bool, Choice, Int, Str, Timestamp
from masthead.schemas.schema import (
    DONE,
    ListOf,
    Object,
    extended,
    optional,
    required,
    schema,
)
from masthead.trash.services import OPERATIONS

ID_HELP = "The number of the item in the trash."
_MOST = 500
"""The number of items of an operation on many; each restore runs several statements."""
_SUMMARY = {
    "id": required(Int(1), help=ID_HELP),
    "contentType": required(
        Str(), help="The name of its content type or resource.", example="news"
    ),
    "contentId": required(Int(1), help="The id that it had, and has again once it is restored."),
    "title": required(Str(), help="Its title; blank if it has none."),
    "deletedAt": required(Timestamp(), help="The time of its delete."),
    "deletedBy": required(
        Object(USER_REFERENCE), nullable=True, help="The user who deleted it; null if unknown."
    ),
    "client": required(
        Str(),
        nullable=True,
        help="The program that deleted it, as it names itself in `User-Agent`.",
        example="Desk/2.1",
    ),
    "purgeAt": required(
        Timestamp(), help="The time from which it is deleted for good, unless it is restored."
    ),
    "available": required(
        Bool(), help="Whether its plugin is enabled; otherwise it can't be restored now."
    ),
    "mayRestore": required(Bool(), help="Whether the caller may restore it now."),
}
TRASH = ListOf(
    Object(schema(_SUMMARY, name="TrashedItemSummary", help="A deleted item in a list."))
)
TRASHED = extended(
    schema(_SUMMARY),
    {
        "approvalStatus": required(
            Choice(*STATUSES),
            nullable=True,
            help="The state of its approval; null if it needs none.",
        ),
        "published": required(
            Bool(), nullable=True, help="Whether it was published; null if that isn't known."
        ),
        **FITTING,
    },
    name="TrashedItem",
    help="A deleted item, as staff saw it.",
)
RESTORED = schema(
    {
        "success": DONE,
        "contentType": required(
            Str(), help="The name of its content type or resource.", example="news"
        ),
        "contentId": required(Int(1), help="Its id, which is the former one."),
        "path": required(
            Str(), help="The address at which staff read it.", example="/api/staff/news/7"
        ),
        "title": required(Str(), help="Its title; blank if it has none."),
        "slug": required(
            Str(),
            nullable=True,
            help="Its slug, with a number if another item has the former one now.",
            example="open-again-2",
        ),
        "etag": required(Str(), help="Its revision.", example="3"),
        "unfit": required(UNFIT, help="The fields whose values are left out."),
    },
    name="RestoredItem",
    help="An item that is restored from the trash.",
)
BULK_BODY = schema(
    {
        "operation": required(Choice(*OPERATIONS), help="The operation."),
        "ids": required(
            ListOf(Int(1, MAX_ID), max_length=_MOST, unique=True),
            help="The numbers of the items in the trash.",
            example=[1, 2],
        ),
    },
    name="TrashOperation",
    help="An operation on many items in the trash.",
)


def list_query(names: Iterable[str]) -> colander.SchemaNode:
    """Return the query parameters of the list.

    :param names: the names of the content types and resources.
    """
    return schema(
        {
            "contentType": optional(
                Choice(*names), nullable=False, help="Only items of this content type or resource."
            ),
            "search": optional(
                TEXT_FILTER, nullable=False, help="A part of the title.", example="garden"
            ),
        }
    )
