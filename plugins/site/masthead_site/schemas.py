"""The bodies and answers of the site plugin's own endpoints."""

from __future__ import annotations

from typing import Any

from masthead import (
    ORGANISATION,
    Bool,
    Email,
    Html,
    Int,
    Line,
    ListOf,
    Nullable,
    Object,
    Str,
    Url,
    extended,
    form,
    optional,
    required,
    schema,
)
from masthead_site.ids import number_of
from masthead_site.models import DESCRIPTION, HISTORY, LARGEST_ORDER, MESSAGE, MISSION
from masthead_site.services.entries import LEVELS


class FolderId(Int):
    """The id of a folder, or its number alone; stored as the number."""

    def parse(self, value: Any) -> int:
        if isinstance(value, str):
            value = number_of(value.strip())
            if value is None:
                raise ValueError("Must be the id of a folder")
        return super().parse(value)

    def schema(self) -> dict[str, Any]:
        return {"type": ["integer", "string"]}


_ORDER = Int(-LARGEST_ORDER, LARGEST_ORDER)


def _items(folders: int) -> ListOf:
    """Return the type of a list of entries with a number of levels of folders."""
    fields = {
        "id": required(Str()),
        "label": required(Str()),
        "path": required(Url(), nullable=True),
        "isCustom": required(Bool()),
        "customPageId": optional(Int(), nullable=False),
        "order": required(_ORDER),
    }
    if folders:
        fields |= {
            "isFolder": optional(Bool(), nullable=False),
            "children": optional(_items(folders - 1), nullable=False),
        }
    return ListOf(Object(schema(fields)))


NAVIGATION = _items(LEVELS)
_IMAGE = Object(
    schema(
        {
            "id": required(Str()),
            **{name: required(Str(DESCRIPTION, min_length=0)) for name in ("name", "description")},
            "imageUrl": required(Str(DESCRIPTION, min_length=0)),
            **{
                name: required(Str(min_length=0))
                for name in ("recommendedFormat", "recommendedSize")
            },
            "contentDescription": required(Nullable(Str(DESCRIPTION))),
        }
    )
)
SITE = extended(
    ORGANISATION, {"images": required(ListOf(_IMAGE)), "navigation": required(NAVIGATION)}
)
ENTRY = schema(
    {
        "id": required(Str()),
        "label": required(Str()),
        "path": required(Url(), nullable=True),
        "isCustom": required(Bool()),
        "customPageId": required(Int(), nullable=True),
        "isFolder": required(Bool()),
        "order": required(_ORDER),
        "hidden": required(Bool()),
        "parentId": required(Str(), nullable=True),
    }
)
ENTRIES = ListOf(Object(ENTRY))
ENTRY_BODY = schema(
    {
        "label": optional(Line()),
        "isFolder": optional(Bool(), False),
        "customPageId": optional(Int(1)),
        "path": optional(Str(DESCRIPTION)),
        "parentId": optional(FolderId()),
        "order": optional(_ORDER),
        "hidden": optional(Bool(), False),
    }
)

_TEXT = Object(schema({"title": required(Str()), "content": required(Html())}))
_CHANGED_TEXT = Object(schema({"title": optional(Line()), "content": optional(Html())}))
_VALUE = Object(
    schema(
        {
            "id": required(Int()),
            "title": required(Str()),
            "description": required(Str(DESCRIPTION)),
            "icon": required(Str()),
            "colorClass": required(Str()),
        }
    )
)
TEXTS = schema({MISSION: required(_TEXT), HISTORY: required(_TEXT)})
ABOUT = schema(
    {MISSION: required(_TEXT), HISTORY: required(_TEXT), "values": required(ListOf(_VALUE))}
)
TEXTS_BODY = schema({MISSION: optional(_CHANGED_TEXT), HISTORY: optional(_CHANGED_TEXT)})

MESSAGE_BODY = form(
    schema(
        {
            "name": required(Line()),
            "email": required(Email()),
            "subject": required(Line()),
            "message": required(Str(MESSAGE)),
        }
    )
)
RECEIVED = schema({"success": required(Bool()), "message": required(Str())})
