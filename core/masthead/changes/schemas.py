"""The queries and answers of the change log."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import colander

from masthead.changes.reading import Cursor
from masthead.content.public_changes import ItemChangeName, PublicChangeName
from masthead.errors import ProblemCode, WrongValue
from masthead.http.list_query import Names
from masthead.schemas.field_types import Bool, Choice, FieldType, Int, Str, Timestamp
from masthead.schemas.schema import ListOf, Object, optional, required, schema

MOST, DEFAULT = 1000, 100
"""The maximum and the default number of changes in an answer."""
_CURSOR = re.compile(r"([0-9a-f]{16})-([0-9]{1,18})")
_PUBLIC = Choice(*map(str, PublicChangeName))
_SEEN = (
    "`published`: it became visible. `changed`, `moved`: it has other values, or another slug"
    " too. `withdrawn`: it is no longer visible."
)
_EXAMPLE = "9f86d081884c7d65-120"


class CursorText(FieldType):
    """A cursor of the change log."""

    def parse(self, value: Any) -> Cursor:
        found = _CURSOR.fullmatch(value) if isinstance(value, str) else None
        if found is None:
            raise WrongValue(ProblemCode.WRONG_FORM, "Must be a cursor that an answer had")
        return Cursor(found[1], int(found[2]))

    def dump(self, value: Cursor) -> str:
        return str(value)

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "pattern": f"^{_CURSOR.pattern}$"}


def query(names: Sequence[str]) -> colander.SchemaNode:
    """Return the query for changes of some content types and resources."""
    return schema(
        {
            "since": optional(
                CursorText(),
                nullable=False,
                help="The cursor of the last answer. Without it, the answer has no changes and the"
                " cursor of the present end: take it before you load everything.",
                example=_EXAMPLE,
            ),
            "types": optional(
                Names(*names),
                nullable=False,
                help="The content types and resources whose changes to return; by default all.",
            ),
            "limit": optional(
                Int(1, MOST),
                nullable=False,
                help=f"The maximum number of changes; by default {DEFAULT}.",
            ),
        }
    )


def answer(names: Sequence[str], *, staff: bool) -> Object:
    """Return the answer with changes of some content types and resources.

    :param staff: whether it is for staff, who see the changes of drafts too.
    """
    kinds = (
        {
            "change": required(Choice(*map(str, ItemChangeName)), help="The change of the item."),
            "publicChange": required(
                _PUBLIC, nullable=True, help=f"The change for the public; null for none. {_SEEN}"
            ),
        }
        if staff
        else {"change": required(_PUBLIC, help=_SEEN)}
    )
    change = {
        **kinds,
        "contentType": required(Choice(*names), help="The content type or resource of the item."),
        "id": required(Int(1), help="The id of the item."),
        "slug": required(
            Str(),
            nullable=True,
            help="Its slug then; null for an item without one.",
            example="open-again",
        ),
        "formerSlug": required(
            Str(), nullable=True, help="Its slug before; null if it is the same.", example=None
        ),
        "at": required(Timestamp(), help="The time of the change."),
    }
    name = "StaffChange" if staff else "Change"
    each = Object(schema(change, name=name, help="A change of an item."))
    values = {
        "changes": required(ListOf(each), help="The changes in the order in which they happened."),
        "cursor": required(
            CursorText(), help="The value of `since` for the next request.", example=_EXAMPLE
        ),
        "more": required(Bool(), help="Whether further changes are there already."),
    }
    return Object(schema(values, name=f"{name}s", help="A part of the change log."))
