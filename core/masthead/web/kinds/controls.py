"""The kind of a value and the control of a form that suits it, derived from its field type."""

from __future__ import annotations

import re
from typing import Any

from masthead.schemas.dates import Date
from masthead.schemas.field_types import (
    TITLE,
    Anything,
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
from masthead.schemas.geo_points import Degrees
from masthead.schemas.html_type import Html
from masthead.schemas.json_values import Json
from masthead.schemas.language_tags import LanguageTag
from masthead.schemas.numbers import Number
from masthead.schemas.references import Ref, Refs
from masthead.schemas.schema import ListOf, Nullable, Object, help_of
from masthead.schemas.text_types import ClassNames, Line

_IMAGE = re.compile(r"image_?urls?\Z|image\Z", re.IGNORECASE)
# A field of a third-party type that is derived from none of these is described by its JSON Schema.
_KINDS: tuple[tuple[type[FieldType], str, str], ...] = (
    (Html, "html", "html"),
    (Url, "link", "link"),
    (Email, "email", "email"),
    (Password, "password", "password"),
    (LanguageTag, "language", "language"),
    (Choice, "choice", "choice"),
    (Bool, "boolean", "switch"),
    (Ref, "reference", "reference"),
    (Refs, "references", "references"),
    (Int, "integer", "number"),
    (Number, "decimal", "decimal"),
    (Degrees, "number", "number"),
    (Date, "date", "date"),
    (Timestamp, "date-time", "date-time"),
    (Json, "json", "json"),
    (ListOf, "list", "list"),
    (Object, "object", "object"),
    (Anything, "object", "object"),
    (ClassNames, "text", "classes"),
    (Line, "text", "text"),
)
_BY_JSON_TYPE = {
    "integer": ("integer", "number"),
    "boolean": ("boolean", "switch"),
    "array": ("list", "list"),
    "object": ("object", "object"),
}
KINDS_OF_VALUES = tuple(dict.fromkeys(["text", *(kind for _, kind, _ in _KINDS)]))


def control(name: str, kind: FieldType) -> dict[str, Any]:
    """Return the kind of a value, its control and its bounds.

    :param name: the name of the field, which tells images from other links.
    """
    inner, described = _unwrapped(kind), kind.schema()
    value_kind, usual = _kind_and_widget(name, inner, described)
    is_list = value_kind in ("list", "references")
    enum = described.get("enum")
    return {
        "kind": value_kind,
        "widget": inner.widget or usual,
        "min": described.get("minimum", _whole(inner, "minimum")),
        "max": described.get("maximum", _whole(inner, "maximum")),
        "minLength": described.get("minItems" if is_list else "minLength"),
        "maxLength": described.get("maxItems" if is_list else "maxLength"),
        "enum": None if enum is None else [each for each in enum if each is not None],
        "target": inner.target,
    }


def element_of(name: str, kind: FieldType) -> dict[str, Any] | None:
    """Return the control of the elements of a list; None for another kind of value."""
    inner = _unwrapped(kind)
    if not isinstance(inner, ListOf) or isinstance(inner, Refs):
        return None
    return {**control(name, inner.inner), "members": members_of(inner.inner)}


def members_of(kind: FieldType) -> list[dict[str, Any]] | None:
    """Return the controls of the members of an object; None for another kind of value."""
    inner = _unwrapped(kind)
    if not isinstance(inner, Object):
        return None
    return [
        {
            "name": child.name,
            **control(child.name, child.typ),
            "required": child.required,
            "nullable": isinstance(child.typ, Nullable),
            "help": help_of(child),
        }
        for child in inner.node.children
    ]


def _whole(kind: FieldType, bound: str) -> int | None:
    """Return a bound of decimal numbers that is a whole number; None for another one or none."""
    value = getattr(kind, bound) if isinstance(kind, Number) else None
    return None if value is None or value != int(value) else int(value)


def _unwrapped(kind: FieldType) -> FieldType:
    return kind.inner if isinstance(kind, Nullable) else kind


def _kind_and_widget(name: str, kind: FieldType, described: dict[str, Any]) -> tuple[str, str]:
    is_image = _IMAGE.search(name) is not None
    for known, value_kind, widget in _KINDS:
        if isinstance(kind, known):
            return value_kind, "image" if value_kind == "link" and is_image else widget
    json_type = described.get("type", "string")
    json_type = json_type if isinstance(json_type, str) else json_type[0]
    is_long = isinstance(kind, Str) and kind.max_length > TITLE
    return _BY_JSON_TYPE.get(json_type, ("text", "textarea" if is_long else "text"))
