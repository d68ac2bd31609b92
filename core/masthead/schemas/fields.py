"""Fields of content and resources: a column and its wire format, declared together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import colander
from sqlalchemy import JSON, Column
from sqlalchemy.orm import MappedColumn, mapped_column
from sqlalchemy.types import TypeEngine

from masthead.errors import StartError
from masthead.schemas.cases import camel_case
from masthead.schemas.field_types import Choice, Email, FieldType, Str, Url
from masthead.schemas.html_type import Html
from masthead.schemas.in_json import in_json
from masthead.schemas.language_tags import LanguageTag
from masthead.schemas.schema import Nullable


class Defaulted(Nullable):
    """A field type in which null means the default; a blank too, unless the type is text."""

    def __init__(self, inner: FieldType, default: Callable[[], Any]) -> None:
        super().__init__(inner)
        self.default = default

    def deserialize(self, node: colander.SchemaNode, cstruct: Any) -> Any:
        """Return the default for null; keep blank text; leave the rest to the inner type."""
        value = super().deserialize(node, cstruct)
        return self.default() if value is None else value


@dataclass(frozen=True)
class FieldOptions:
    """The arguments of ``field()``, stored in the column's ``info``."""

    kind: FieldType
    required: bool
    listed: bool
    public: bool
    staged: bool
    help: str
    example: Any


@dataclass(frozen=True)
class Field:
    """A writable field of a content type or resource."""

    name: str
    """The name on the wire: ``imageUrl``."""
    attribute: str
    """The name in the model: ``image_url``."""
    kind: FieldType
    """The type on the wire; ``Nullable`` or ``Defaulted`` for an optional field."""
    default: Callable[[], Any]
    """Returns the value of a new item that is created without one."""
    required: bool
    listed: bool
    """Whether public lists show it; otherwise only the detail does."""
    public: bool
    staged: bool
    """Whether an edit of it needs approval."""
    help: str
    """The meaning of the field, for editors and for the OpenAPI document."""
    example: Any
    """A JSON value as an example; None for one that follows from the type."""

    @property
    def is_text(self) -> bool:
        """Whether its values are text that can be searched."""
        kind = self.kind.inner if isinstance(self.kind, Nullable) else self.kind
        return isinstance(kind, _TEXTS)


def field(
    kind: FieldType,
    *,
    required: bool = False,
    listed: bool = True,
    public: bool = True,
    staged: bool = True,
    help: str = "",  # noqa: A002 - the word for such a text in settings and commands
    example: Any = None,
    **column: Any,
) -> MappedColumn[Any]:
    """Declare a column of a content type or resource that clients read and write.

    :param kind: the field type: ``Str()``, ``Url()``, ``Html()``, ``Int()``, ``Bool()`` …;
        ``ListOf()`` and ``Object()`` are stored as JSON, also the times and dates within.
    :param required: whether a create must contain it; an optional field may be null.
    :param listed: whether public lists show it; otherwise only the detail does.
    :param public: whether it is public at all.
    :param staged: False for a field that changes without approval, such as an order.
    :param help: the meaning of the field in a sentence, for editors and for the OpenAPI document.
    :param example: a JSON value as an example, for the OpenAPI document.
    :param column: further arguments of SQLAlchemy's ``mapped_column``. With a ``default``, a value
        or a function, the field is never null: null means the default, or is refused if the field
        is required; a create may then omit it.
    :raises StartError: for a type that no column can store.
    """
    column_type = _column_type(kind)
    stored = in_json(kind) if isinstance(column_type, JSON) else kind
    options = FieldOptions(stored, required, listed, public, staged, help, example)
    column.setdefault("nullable", not required and column.get("default") is None)
    info = {"field": options, **column.pop("info", {})}
    return mapped_column(column_type, info=info, **column)


def fields_of(model: Any, wire: Callable[[str], str] = camel_case) -> tuple[Field, ...]:
    """Return the fields that a model declares, in the order of its columns.

    :param wire: returns the name on the wire for the name of an attribute.
    :raises StartError: for a default that only the database could compute.
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
                help=options.help,
                example=options.example,
            )
        )
    return tuple(found)


def with_example(fields: Iterable[Field], example: Mapping[str, Any]) -> tuple[Field, ...]:
    """Return the fields with the examples that some have, by wire name."""
    return tuple(
        replace(f, example=example[f.name], kind=f.kind.described(f.help, example[f.name]))
        if f.name in example
        else f
        for f in fields
    )


def is_html(kind: FieldType) -> bool:
    """Whether the values of a type are HTML, or null."""
    return isinstance(kind.inner if isinstance(kind, Nullable) else kind, Html)


def shown_kind(kind: FieldType) -> FieldType:
    """Return the type of the stored values of a field: one with a default is never null."""
    return kind.inner.described(kind.help, kind.example) if isinstance(kind, Defaulted) else kind


def default_of(column: Column[Any]) -> Any:
    """Return the default value of a column."""
    default: Any = column.default
    if default is None:
        return None
    # SQLAlchemy wraps each callable in one that takes a context.
    return default.arg(None) if default.is_callable else default.arg


def values_of_new(fields: Iterable[Field], sent: Mapping[str, Any]) -> dict[str, Any]:
    """Return all values of a new item by wire name: the sent ones, and defaults for the rest."""
    return {f.name: sent[f.name] if f.name in sent else f.default() for f in fields}


def staged_among(fields: Iterable[Field], staged: Mapping[str, Any]) -> list[Field]:
    """Return the fields whose staged value overrides the live one.

    The copy may have been staged by another release: the live value of a field counts if edits of
    it no longer need approval, or if the copy lacks it.

    :param staged: the staged copy, by wire name.
    """
    return [f for f in fields if f.staged and f.name in staged]


def columns_of(model: Any, wire: Callable[[str], str] = camel_case) -> dict[str, Column[Any]]:
    """Return the columns of a model by wire name.

    :param wire: returns the name on the wire for the name of an attribute.
    :raises StartError: if two columns have the same wire name.
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
    kind = options.kind
    if options.help or options.example is not None:
        kind = kind.described(options.help, options.example)
    if column.default is not None and not options.required:
        return Defaulted(kind, partial(default_of, column))
    return Nullable(kind) if column.nullable else kind


def _column_type(kind: object) -> TypeEngine[Any]:
    # The author of a plugin may write a type of Python, such as int.
    if not isinstance(kind, FieldType) or kind.column_type is None:
        raise StartError(f"A column can't hold the kind {type(kind).__name__}")
    return kind.column_type


_TEXTS = Str | Choice | Url | Email | Html | LanguageTag
