"""Fields of content and resources: one line of a model declares the column and its wire form."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from types import UnionType
from typing import Any

import colander
from sqlalchemy import JSON, BigInteger, Boolean, Column, Text
from sqlalchemy.orm import MappedColumn, mapped_column
from sqlalchemy.types import TypeEngine

from masthead.db import UTCDateTime
from masthead.errors import StartError
from masthead.schemas.field_types import (
    Bool,
    Choice,
    Email,
    FieldType,
    Html,
    Int,
    Password,
    Str,
    Timestamp,
    Url,
)
from masthead.schemas.schema import ListOf, Nullable, Object, camel_case


class Defaulted(Nullable):
    """Another kind; null stands for its default, and so does blank where the kind isn't text."""

    def __init__(self, inner: FieldType, default: Callable[[], Any]) -> None:
        super().__init__(inner)
        self.default = default

    def deserialize(self, node: colander.SchemaNode, cstruct: Any) -> Any:
        """Null is the default, blank text is kept; the rest is the inner kind's business."""
        value = super().deserialize(node, cstruct)
        return self.default() if value is None else value


@dataclass(frozen=True)
class FieldOptions:
    """What ``field()`` was told, kept in the column's ``info``."""

    kind: FieldType
    required: bool
    listed: bool
    public: bool
    staged: bool


@dataclass(frozen=True)
class Field:
    """A writable field of a content type or resource."""

    name: str
    """On the wire: ``imageUrl``."""
    attribute: str
    """Of the model: ``image_url``."""
    kind: FieldType
    """Of values on the wire; of an optional field ``Nullable`` or ``Defaulted``."""
    default: Callable[[], Any]
    """Gives the value of a new item that is made without one."""
    required: bool
    listed: bool
    """Whether public lists show it, not only the detail."""
    public: bool
    staged: bool
    """Whether an edit of it needs approval like any other."""

    @property
    def is_text(self) -> bool:
        """Whether its values have words that items can be found by."""
        kind = self.kind.inner if isinstance(self.kind, Nullable) else self.kind
        return isinstance(kind, _TEXTS)


def field(
    kind: FieldType,
    *,
    required: bool = False,
    listed: bool = True,
    public: bool = True,
    staged: bool = True,
    **column: Any,
) -> MappedColumn[Any]:
    """A column, of the model of a content type or resource, that clients read and write.

    :param kind: what it holds: ``Str()``, ``Url()``, ``Html()``, ``Int()``, ``Bool()``
        …; ``ListOf()`` and ``Object()`` are kept as JSON.
    :param required: whether a create has to name it; an optional one may be null.
    :param listed: whether public lists show it, not only the detail.
    :param public: whether the public sees it at all.
    :param staged: False for what may change without approval, such as an order.
    :param column: further arguments of SQLAlchemy's ``mapped_column``; with a ``default``, a value
        or a function, the field is never null: null stands for the default, or is refused where the
        field is required, which a create may leave out then.
    :raises StartError: for a kind that no column can hold.
    """
    options = FieldOptions(kind, required, listed, public, staged)
    column.setdefault("nullable", not required and column.get("default") is None)
    return mapped_column(_column_type(kind), info={"field": options}, **column)


def fields_of(model: Any, wire: Callable[[str], str] = camel_case) -> tuple[Field, ...]:
    """The fields that a model declares, in the order of its columns.

    :param wire: gives the name on the wire for that of an attribute.
    :raises StartError: for a default that only the database could tell.
    """
    found = []
    for column in model.__mapper__.columns:
        options: FieldOptions | None = column.info.get("field")
        if options is None:
            continue
        if column.default is not None and not (
            column.default.is_scalar or column.default.is_callable
        ):
            raise StartError(
                f"{model.__name__}: the default of {column.key} has to be a value or a function"
            )
        found.append(
            Field(
                name=wire(column.key),
                attribute=column.key,
                kind=_kind_of(column, options),
                default=partial(default_of, column),
                required=options.required and column.default is None,
                listed=options.listed,
                public=options.public,
                staged=options.staged,
            )
        )
    return tuple(found)


def default_of(column: Column[Any]) -> Any:
    """The value that a column has in a row that is made without one."""
    default: Any = column.default
    if default is None:
        return None
    # SQLAlchemy makes each callable one that takes a context.
    return default.arg(None) if default.is_callable else default.arg


def values_of_new(fields: Iterable[Field], sent: Mapping[str, Any]) -> dict[str, Any]:
    """All values of a new item by wire name: what was sent, and the defaults of the rest."""
    return {f.name: sent[f.name] if f.name in sent else f.default() for f in fields}


def staged_among(fields: Iterable[Field], staged: Mapping[str, Any]) -> list[Field]:
    """The fields whose staged value counts, which edits lay over the live one.

    A copy may have been staged by another release: where an edit of a field needs no approval any
    more, or the copy knows nothing of it, its live value is the one.

    :param staged: the staged copy, by wire name.
    """
    return [f for f in fields if f.staged and f.name in staged]


def columns_of(model: Any, wire: Callable[[str], str] = camel_case) -> dict[str, Column[Any]]:
    """A model's columns by wire name.

    :param wire: gives the name on the wire for that of an attribute.
    :raises StartError: where two have one name there.
    """
    found: dict[str, Column[Any]] = {}
    for column in model.__table__.c:
        name = wire(column.key)
        if name in found:
            raise StartError(
                f"{model.__name__}: {found[name].key} and {column.key} are both {name} on the wire"
            )
        found[name] = column
    return found


def _kind_of(column: Column[Any], options: FieldOptions) -> FieldType:
    if column.default is not None and not options.required:
        return Defaulted(options.kind, partial(default_of, column))
    return Nullable(options.kind) if column.nullable else options.kind


def _column_type(kind: FieldType) -> TypeEngine[Any]:
    if isinstance(kind, ListOf | Object) and not _is_plain(kind):
        raise StartError("A column can't hold timestamps or passwords within lists or objects")
    for kinds, make in _COLUMN_TYPES:
        if isinstance(kind, kinds):
            return make()
    raise StartError(f"A column can't hold the kind {type(kind).__name__}")


def _is_plain(kind: FieldType) -> bool:
    """Whether its stored values are JSON as they are."""
    if isinstance(kind, Object):
        return all(_is_plain(child.typ) for child in kind.node)
    if isinstance(kind, Nullable | ListOf):
        return _is_plain(kind.inner)
    return not isinstance(kind, Timestamp | Password)


_TEXTS = Str | Choice | Url | Email | Html
_COLUMN_TYPES: tuple[tuple[type[FieldType] | UnionType, Callable[[], TypeEngine[Any]]], ...] = (
    (_TEXTS, Text),
    (Int, BigInteger),
    (Bool, Boolean),
    (Timestamp, UTCDateTime),
    (ListOf | Object, lambda: JSON(none_as_null=True)),
)
