"""Sample values of fields, by field type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from masthead.schemas.field_types import (
    Bool,
    Choice,
    Email,
    FieldType,
    Html,
    Int,
    Str,
    Timestamp,
    Url,
)
from masthead.schemas.language_tags import LanguageTag
from masthead.schemas.references import Ref, Refs
from masthead.schemas.schema import ListOf, Nullable, Object
from masthead.schemas.slugs import Slug
from masthead.schemas.text_types import ClassNames

_SAMPLES: Mapping[type[FieldType], tuple[Any, Any]] = {
    Str: ("Größe, 東京", "Another text"),
    Url: ("https://example.org/a?b=c", "/b"),
    Html: ("<p>Some <strong>text</strong></p>", "<p>Another</p>"),
    Int: (3, 4),
    Bool: (True, False),
    Timestamp: ("2026-01-02T03:04:05.678Z", "2026-02-03T00:00:00.000Z"),
    Email: ("ada@example.org", "ben@example.org"),
    LanguageTag: ("de", "ar-EG"),
    Slug: ("chosen", "another"),
    ClassNames: ("from-sky-600/50 md:bg-[#fff]", "Megaphone"),
}


def sample_of(kind: FieldType, which: int) -> Any:
    """Return one of two values of a type.

    :param which: 0 or 1.
    """
    if isinstance(kind, Nullable):
        return sample_of(kind.inner, which)
    if isinstance(kind, Ref | Refs):
        # There are no other items yet.
        return [] if isinstance(kind, Refs) else None
    if isinstance(kind, ListOf):
        return [sample_of(kind.inner, which)]
    if isinstance(kind, Object):
        return {child.name: sample_of(child.typ, which) for child in kind.node}
    if isinstance(kind, Choice):
        return kind.options[which % len(kind.options)]
    return next(_SAMPLES[each] for each in type(kind).__mro__ if each in _SAMPLES)[which]
