"""Fields of content: one line of a model declares the column and what the wire makes of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import BigInteger, Boolean, Text
from sqlalchemy.orm import MappedColumn, mapped_column
from sqlalchemy.types import TypeEngine

from masthead.db import UTCDateTime
from masthead.schema import Bool, Int, Kind, Nullable, Timestamp, camel_case


@dataclass(frozen=True)
class FieldOptions:
    """What ``field()`` was told, kept in the column's ``info``."""

    kind: Kind
    required: bool
    listed: bool
    public: bool
    staged: bool


@dataclass(frozen=True)
class Field:
    """A writable field of a content type."""

    name: str
    """On the wire: ``imageUrl``."""
    attribute: str
    """Of the model: ``image_url``."""
    kind: Kind
    """Of values on the wire; of an optional field ``Nullable``."""
    required: bool
    listed: bool
    """Whether public lists show it, not only the detail."""
    public: bool
    staged: bool
    """Whether an edit of it needs approval like any other."""


def field(
    kind: Kind,
    *,
    required: bool = False,
    listed: bool = True,
    public: bool = True,
    staged: bool = True,
    **column: Any,
) -> MappedColumn[Any]:
    """A column of a content type's model that clients read and write.

    :param kind: what it holds: ``Str()``, ``Url()``, ``Html()``, ``Int()``, ``Bool()`` …
    :param required: whether a create has to name it; an optional one may be null.
    :param listed: whether public lists show it, not only the detail.
    :param public: whether the public sees it at all.
    :param staged: False for what may change without approval, such as an order.
    :param column: further arguments of SQLAlchemy's ``mapped_column``.
    """
    options = FieldOptions(kind, required, listed, public, staged)
    column.setdefault("nullable", not required)
    return mapped_column(_column_type(kind), info={"field": options}, **column)


def fields_of(model: Any) -> tuple[Field, ...]:
    """The fields that a model declares, in the order of its columns."""
    found = []
    for column in model.__mapper__.columns:
        options: FieldOptions | None = column.info.get("field")
        if options is None:
            continue
        optional = column.nullable or column.default is not None
        kind = Nullable(options.kind) if column.nullable else options.kind
        found.append(
            Field(
                name=camel_case(column.key),
                attribute=column.key,
                kind=kind,
                required=options.required and not optional,
                listed=options.listed,
                public=options.public,
                staged=options.staged,
            )
        )
    return tuple(found)


def _column_type(kind: Kind) -> TypeEngine[Any]:
    if isinstance(kind, Timestamp):
        return UTCDateTime()
    if isinstance(kind, Int):
        return BigInteger()
    return Boolean() if isinstance(kind, Bool) else Text()
