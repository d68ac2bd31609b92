"""Sample values of fields, by field type."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

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
from masthead.schemas.html_type import Html
from masthead.schemas.language_tags import LanguageTag
from masthead.schemas.references import Ref, Refs
from masthead.schemas.schema import ListOf, Nullable, Object
from masthead.schemas.slugs import Slug
from masthead.schemas.text_types import ClassNames
from masthead.schemas.time_zones import TimeZone

_TEXTS = "Größe, 東京", "Another text"
_LETTERS = "a", "b"
"""Texts as HTML that is as short as it can be."""


def sample_of(kind: FieldType, which: int) -> Any:
    """Return one of two values of a type, within its bounds; they may be equal if these are narrow.

    :param which: 0 or 1.
    :raises LookupError: for a type of a plugin that has no samples.
    """
    if kind.samples:
        return kind.samples[which % len(kind.samples)]
    for base in type(kind).__mro__:
        if base in _MAKERS:
            return _MAKERS[base](kind, which)
    name = type(kind).__name__
    raise LookupError(
        f"{name} has no samples: set its attribute samples (for Json, the examples of its schema),"
        " or the values of the test"
    )


def _integer(kind: Int, which: int) -> int:
    """Return 3 or 4, or the integers that are nearest to them."""
    first = min(max(3, kind.minimum), kind.maximum)
    other = first + 1 if first < kind.maximum else max(first - 1, kind.minimum)
    return (first, other)[which]


def _text(kind: Str, which: int) -> str:
    return _TEXTS[which][: kind.max_length].strip().ljust(kind.min_length, "x")


def _html(kind: Html, which: int) -> str:
    text = ("<p>Some <strong>text</strong></p>", "<p>Another</p>")[which]
    return text if len(text) <= kind.max_bytes else _LETTERS[which]


def _list(kind: ListOf, which: int) -> list[Any]:
    return [sample_of(kind.inner, which)][: kind.max_length]


def _object(kind: Object, which: int) -> dict[str, Any]:
    return {child.name: sample_of(child.typ, which) for child in kind.node}


def _one_of(*samples: Any) -> Callable[[FieldType, int], Any]:
    return lambda _kind, which: samples[which]


_MAKERS: Final[dict[type[FieldType], Callable[[Any, int], Any]]] = {
    Nullable: lambda kind, which: sample_of(kind.inner, which),
    # There are no items that they could refer to.
    Ref: _one_of(None, None),
    Refs: lambda _kind, _which: [],
    ListOf: _list,
    Object: _object,
    Choice: lambda kind, which: kind.options[which % len(kind.options)],
    Str: _text,
    Int: _integer,
    Html: _html,
    Url: _one_of("https://example.org/a?b=c", "/b"),
    Bool: _one_of(True, False),
    Timestamp: _one_of("2026-01-02T03:04:05.678Z", "2026-02-03T00:00:00.000Z"),
    Email: _one_of("ada@example.org", "ben@example.org"),
    Password: _one_of("correct horse battery", "another horse battery"),
    LanguageTag: _one_of("de", "ar-EG"),
    Slug: _one_of("chosen", "another"),
    ClassNames: _one_of("from-sky-600/50 md:bg-[#fff]", "Megaphone"),
    TimeZone: _one_of("Europe/Berlin", "UTC"),
}
"""The functions that return a sample, by field type; they get the type and 0 or 1."""
